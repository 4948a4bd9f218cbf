# The reference linked wrongly: for each rule about the library as a file, one that breaks this rule
# alone. All of them lie in one folder.
file(READ ${PROJECT_SOURCE_DIR}/impl/librpma.map reference_map)

# planted_file(RULE MAP SONAME LIBRARY...): LIBRARY: what the library names as needed.
function(planted_file rule map soname)
  set(target rpma-planted-file-${rule})
  set(map_file ${CMAKE_CURRENT_BINARY_DIR}/planted_files/${rule}.map)
  file(CONFIGURE OUTPUT ${map_file} CONTENT "${map}" @ONLY)
  add_library(${target} SHARED planted_bugs/extra_exports.c $<TARGET_OBJECTS:rpma_objects>)
  target_link_libraries(${target} PRIVATE ${ARGN})
  target_link_options(${target} PRIVATE
    LINKER:--version-script=${map_file} LINKER:-soname,${soname} LINKER:--no-as-needed)
  set_target_properties(${target} PROPERTIES
    NO_SONAME ON
    PREFIX "" OUTPUT_NAME ${rule}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/planted_files
    LINK_DEPENDS ${map_file})
  set_property(GLOBAL APPEND PROPERTY planted_files ${target})
endfunction()

string(REPLACE "LIBRPMA_1.0" "LIBRPMA_1.1" later_map "${reference_map}")
string(REPLACE "rpma_atomic_write;" "" short_map "${reference_map}")
string(REPLACE "global:" "global: rpma_extra_function;" function_map "${reference_map}")
string(REPLACE "global:" "global: rpma_extra_table;" data_map "${reference_map}")

planted_file(soname "${reference_map}" librpma.so.1 ibverbs rdmacm)
planted_file(needed "${reference_map}" librpma.so.0 ibverbs)
planted_file(symbols "${short_map}" librpma.so.0 ibverbs rdmacm)
planted_file(versions "${later_map}" librpma.so.0 ibverbs rdmacm)
planted_file(no-extra-exports "${function_map}" librpma.so.0 ibverbs rdmacm)
planted_file(no-data "${data_map}" librpma.so.0 ibverbs rdmacm)
planted_file(syslog-identity "${reference_map}" librpma.so.0 ibverbs rdmacm)
target_sources(rpma-planted-file-syslog-identity PRIVATE planted_bugs/opens_log.c)
