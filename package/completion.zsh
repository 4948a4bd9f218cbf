#compdef fakenic rpma-conformance
# Completion of fakenic and rpma-conformance in zsh. It asks the program itself what there is, by --help and `list`.

# What the help of a command and of its subcommands, here WORDS, offers; one a line, as "SECTION NAME TYPE".
_rpma_testbed_offers() {
  local section='' line
  local -a fields
  "$@" --help 2>/dev/null | while IFS= read -r line; do
    case $line in
      '') section='' ;;
      [A-Z]*:) section=${line%:} ;;
      '  '[!\ ]*)
        fields=(${=line})
        [[ -z $section ]] || print -r -- "$section $fields[1] $fields[2]"
        ;;
    esac
  done
}

_rpma_testbed() {
  local command=${~words[1]} section name type word
  local -a called=($command) offers=("${(@f)$(_rpma_testbed_offers $command)}") fields replies

  # The subcommand that is being completed; behind -- stands a command of somebody else.
  for word in "${(@)words[2,CURRENT-1]}"; do
    if [[ $word == -- ]]; then
      _rpma_testbed_command
      return
    fi
    (( ${offers[(I)Subcommands $word *]} )) || continue
    called+=($word)
    offers=("${(@f)$(_rpma_testbed_offers $called)}")
  done

  # The value of an option: one of a few, or else a file.
  for word in $offers; do
    fields=(${=word})
    section=$fields[1] name=$fields[2] type=$fields[3]
    [[ $section == Options && ,$name, == *,$words[CURRENT-1],* ]] || continue
    case $type in
      *:\{*\}) compadd -- ${(s:,:)${${type#*:\{}%\}}}; return ;;
      [A-Z]*) _files; return ;;
    esac
  done

  for word in $offers; do
    fields=(${=word})
    section=$fields[1] name=$fields[2]
    case $section,$words[CURRENT] in
      Options,-*) replies+=(${(s:,:)name}) ;;
      Subcommands,[!-]* | Subcommands,) replies+=($name) ;;
      Positionals,[!-]* | Positionals,)
        [[ $name != RULE* ]] || replies+=(${${(f)"$($command list 2>/dev/null)"}%% *})
        [[ $name != PROGRAM* ]] || _rpma_testbed_command
        ;;
    esac
  done
  if (( $#replies )); then compadd -- $replies; else _files; fi
}

# The name of a program, or a file.
_rpma_testbed_command() {
  compadd -- ${(k)commands}
  _files
}

# Autoloaded by the completion system: this file is the function. Sourced by the test: it only defines.
[[ $funcstack[1] != _(fakenic|rpma-conformance) ]] || _rpma_testbed
