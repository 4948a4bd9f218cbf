# For the tests here: sourced, with the path of the fakenic program as first argument.
set -euo pipefail

fakenic=$(readlink -f "$1")
failed=0
unset FAKENIC_PROFILE FAKENIC_DEVICE FAKENIC_EXPLAIN

# says TEXT PATTERN...: each extended regular expression matches a line of the text.
says() {
  local text=$1 pattern
  shift
  for pattern in "$@"; do
    grep -Eq -- "$pattern" <<<"$text" && continue
    printf 'no line matches: %s\nof:\n%s\n' "$pattern" "$text"
    failed=1
  done
}
