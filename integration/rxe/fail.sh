# shellcheck shell=bash
# Sourced by every script here.

# The environment is not usable: one sentence, object first, and exit code 125.
fail() {
  echo "rxe: $*" >&2
  exit 125
}

# need TOOL PACKAGE: TOOL must be in PATH.
need() {
  [[ -n $(type -P "$1") ]] || fail "tool $1: not in PATH, expected from the Debian package $2"
}
