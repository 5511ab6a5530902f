#!/bin/sh
# Lists our own sources of one kind: `sources.sh c` (C and C++) or `sources.sh python`.
# Golden files are what sidlc writes, Impl files are half its: neither is ours to format.
set -eu
cd "$(dirname "$0")/.."
case $1 in
  c) set -- '*.c' '*.h' '*.cpp' '*.hpp' '*.cxx' '*.hxx' ;;
  python) set -- '*.py' '*/sidlc-gen-*' ;;
  *) echo "sources: unknown kind '$1'" >&2; exit 2 ;;
esac
git ls-files --cached --others --exclude-standard -- "$@" |
  grep -v -e '^tests/golden/' -e '^tests/runtime/older/' -e '_Impl\.[chp][xy]*$' |
  while read -r file; do if [ -f "$file" ]; then echo "$file"; fi; done
