#!/bin/sh
# Formats all sources in place.
set -eu
cd "$(git rev-parse --show-toplevel)"
python=${PYTHON:-build/venv/bin/python}
scripts/sources.sh c | xargs clang-format -i
scripts/sources.sh python | xargs "$python" -m ruff check --quiet --fix-only
scripts/sources.sh python | xargs "$python" -m ruff format --quiet
