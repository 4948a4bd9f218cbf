# Completion of fakenic and rpma-conformance in bash. It asks the program itself what there is, by --help and `list`.

# What the help of a command and of its subcommands, here WORDS, offers; one a line, as "SECTION NAME TYPE".
_rpma_testbed_offers() {
  local section='' line name type
  while IFS= read -r line; do
    case $line in
      '') section='' ;;
      [A-Z]*:) section=${line%:} ;;
      '  '[!\ ]*)
        read -r name type _ <<<"$line"
        [ -z "$section" ] || printf '%s %s %s\n' "$section" "$name" "$type"
        ;;
    esac
  done < <("$@" --help 2>/dev/null)
}

_rpma_testbed() {
  local command=${1/#\~/$HOME} current=$2 previous=$3
  local words=("$command") offers section name type word
  offers=$(_rpma_testbed_offers "${words[@]}")

  # The subcommand that is being completed; behind -- stands a command of somebody else.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ "$word" = -- ]; then
      mapfile -t COMPREPLY < <(compgen -A command -- "$current"; compgen -A file -- "$current")
      return
    fi
    grep -qxF -- "Subcommands $word" < <(cut -d' ' -f1,2 <<<"$offers") || continue
    words+=("$word")
    offers=$(_rpma_testbed_offers "${words[@]}")
  done

  # The value of an option: one of a few, or else a file.
  while read -r section name type; do
    [ "$section" = Options ] || continue
    case ",$name," in *",$previous,"*) ;; *) continue ;; esac
    case $type in
      *:'{'*'}') type=${type#*:?}; mapfile -t COMPREPLY < <(compgen -W "${type//[,\}]/ }" -- "$current"); return ;;
      [A-Z]*) return ;;
    esac
  done <<<"$offers"

  local replies=()
  while read -r section name type; do
    case $section,$current in
      Options,-*) replies+=(${name//,/ }) ;;
      Subcommands,[!-]* | Subcommands,) replies+=("$name") ;;
      Positionals,[!-]* | Positionals,)
        [[ $name != RULE* ]] || replies+=($("$command" list 2>/dev/null | cut -d' ' -f1))
        [[ $name != PROGRAM* ]] || replies+=($(compgen -A command -- "$current"))
        ;;
    esac
  done <<<"$offers"
  mapfile -t COMPREPLY < <(compgen -W "${replies[*]}" -- "$current")
}

complete -o default -F _rpma_testbed fakenic rpma-conformance
