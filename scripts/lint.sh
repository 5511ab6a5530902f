#!/bin/sh
# Checks the format and style of all sources and changes nothing; `make format` repairs the format.
# To run it before every commit: ln -s ../../scripts/lint.sh .git/hooks/pre-commit
set -u
cd "$(git rev-parse --show-toplevel)" || exit 1
python=${PYTHON:-build/venv/bin/python}
status=0

scripts/sources.sh c | xargs clang-format --dry-run -Werror || status=1
scripts/sources.sh python | xargs "$python" -m ruff check --quiet || status=1
scripts/sources.sh python | xargs "$python" -m ruff format --quiet --check || status=1

if [ $status -eq 0 ]; then echo "lint: clean"; else echo "lint: see above; make format may help" >&2; fi
exit $status
