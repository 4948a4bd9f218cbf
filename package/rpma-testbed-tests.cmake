# Tests on the fake NIC, for the builds of others. Needs CMake 3.22.

# rpma_testbed_add_conformance_test(
#   NAME test
#   TARGET library | LIBRARY file   the librpma under test: a target of this build, or a file that something else makes
#   [RULES glob...]                 the rules to judge, as in rpma_conn_cfg_*; none: all
#   [EXPECT file]                   TOML file of rules known to be broken, each with its reason
#   [ARGS argument...]              further arguments of `rpma-conformance run`
#   [TIMEOUT seconds])              600 if not given
#
# Adds a test with the label "conformance" that judges the library over the fake NIC. It passes if every rule that must hold
# holds.
function(rpma_testbed_add_conformance_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;LIBRARY;EXPECT;TIMEOUT" "RULES;ARGS")
  set(problem "")
  if(arg_UNPARSED_ARGUMENTS)
    set(problem "does not know \"${arg_UNPARSED_ARGUMENTS}\"")
  elseif(NOT arg_NAME)
    set(problem "needs NAME")
  elseif(arg_TARGET AND arg_LIBRARY OR NOT arg_TARGET AND NOT arg_LIBRARY)
    set(problem "needs TARGET or LIBRARY, and not both")
  elseif(arg_TARGET AND NOT TARGET ${arg_TARGET})
    set(problem "TARGET ${arg_TARGET} is no target")
  elseif(NOT TARGET rpma-testbed::rpma-conformance)
    set(problem "needs the component conformance, which is not installed")
  elseif(NOT EXISTS "${rpma-testbed_FAKENIC_DIR}")
    set(problem "needs the component fakenic, which is not installed")
  endif()
  if(problem)
    message(FATAL_ERROR "rpma_testbed_add_conformance_test(${arg_NAME}): ${problem}")
  endif()

  set(library "${arg_LIBRARY}")
  if(arg_TARGET)
    set(library "$<TARGET_FILE:${arg_TARGET}>")
  endif()
  set(options "")
  if(arg_EXPECT)
    get_filename_component(expect "${arg_EXPECT}" ABSOLUTE)
    set(options --expect "${expect}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_test(NAME ${arg_NAME}
    COMMAND rpma-testbed::rpma-conformance run --sut "${library}" --nic fake ${options} ${arg_ARGS} ${arg_RULES})
  set_tests_properties(${arg_NAME} PROPERTIES LABELS conformance TIMEOUT ${arg_TIMEOUT})
endfunction()

# rpma_testbed_run_on_fakenic(TEST test... [PROFILE spec|mlx5|mlx5-drop|rxe])
#
# Makes tests that exist already run on the fake NIC. The programs of one test reach each other, those of two tests do not.
# Tests that are not known yet when CMake runs, as those of gtest_discover_tests, get the property ENVIRONMENT_MODIFICATION
# "${rpma-testbed_ENVIRONMENT}" instead; then each program is alone.
set(_rpma_testbed_libraries "LD_LIBRARY_PATH=path_list_prepend:${rpma-testbed_FAKENIC_DIR}")
set(rpma-testbed_ENVIRONMENT "${_rpma_testbed_libraries}" "FAKENIC_FABRIC=set:off")

function(rpma_testbed_run_on_fakenic)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PROFILE" "TEST")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_TEST)
    message(FATAL_ERROR "rpma_testbed_run_on_fakenic: needs TEST and knows PROFILE, not \"${arg_UNPARSED_ARGUMENTS}\"")
  endif()
  foreach(test IN LISTS arg_TEST)
    if(NOT TEST ${test})
      message(FATAL_ERROR "rpma_testbed_run_on_fakenic: no test is named \"${test}\" here; add_test comes first")
    endif()
    string(MAKE_C_IDENTIFIER "${test}" fabric)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION
      "${_rpma_testbed_libraries}" "FAKENIC_FABRIC=set:${CMAKE_CURRENT_BINARY_DIR}/${fabric}.fabric")
    if(arg_PROFILE)
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION "FAKENIC_PROFILE=set:${arg_PROFILE}")
    endif()
  endforeach()
endfunction()
