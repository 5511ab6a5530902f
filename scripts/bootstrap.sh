#!/bin/sh
# Installs what Shinar is built and tested with: distribution packages and a Python environment.
#
#   scripts/bootstrap.sh              install what is missing; nothing is done twice
#   scripts/bootstrap.sh --dry-run    print what would be installed, change nothing
#   scripts/bootstrap.sh --packages   packages only
#   scripts/bootstrap.sh --venv       the Python environment only
#
# SHINAR_PYTHON        the interpreter the environment is made with; otherwise the first that works
# SHINAR_BUILD         the build folder, default: build
# SHINAR_SKIP_PACKAGES set to 1 where the packages come from elsewhere (no apt)
set -eu

# The one list of packages. The names are those of Debian 12 and of Ubuntu 24.04.
packages="
  build-essential gfortran cmake ninja-build ccache pkg-config make git
  antlr4 libantlr4-runtime-dev
  protobuf-compiler libprotobuf-dev libprotoc-dev
  libcli11-dev nlohmann-json3-dev libgtest-dev
  libssl-dev openssl
  libucx-dev libopenmpi-dev openmpi-bin libmpich-dev mpich
  slurmctld slurmd slurm-client
  libssl-dev libmunge-dev munge libtomlplusplus-dev
  clang clang-format libclang-rt-dev abigail-tools valgrind
  python3 python3-venv python3-dev
  openjdk-17-jdk-headless
"

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
requirements=$root/scripts/requirements.txt
build=${SHINAR_BUILD:-build}
case $build in /*) ;; *) build=$root/$build ;; esac
venv=$build/venv

dry_run=no want_packages=yes want_venv=yes
for option; do
  case $option in
    --dry-run) dry_run=yes ;;
    --packages) want_venv=no ;;
    --venv) want_packages=no ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "bootstrap: unknown option '$option' (see --help)" >&2; exit 2 ;;
  esac
done

say() { echo "bootstrap: $*"; }
fail() { echo "bootstrap: $*" >&2; exit 1; }

# ---- packages ------------------------------------------------------------------------------------

# The packages of the list that are not installed, on one line.
missing_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo $packages
    return
  fi
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null |
    sed -n 's/^installed //p')
  for package in $packages; do
    printf '%s\n' "$installed" | grep -qxF "$package" || printf '%s ' "$package"
  done
}

install_packages() {
  missing=$(missing_packages)
  missing=${missing% }
  [ -n "$missing" ] || return 0
  if [ $dry_run = yes ]; then
    say "would install packages: $missing"
    return 0
  fi
  if ! command -v apt-get >/dev/null; then
    fail "these packages are missing, and there is no apt-get to install them: $missing
bootstrap: install what they contain by your system's means, then set SHINAR_SKIP_PACKAGES=1"
  fi
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      fail "these packages are missing, and installing them needs root or sudo: $missing"
    fi
    as_root=sudo
  fi
  say "installing packages: $missing"
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600
       -o Acquire::Retries=3"
  $apt update || say "the package lists could not be refreshed; going on with the old ones"
  # The Java runtime that antlr4 brings fails to install where an image has dropped this folder.
  $as_root mkdir -p /usr/share/man/man1
  $apt install -y --no-install-recommends $missing ||
    fail "these packages could not be installed: $missing"
}

# ---- Python environment --------------------------------------------------------------------------

# True if the interpreter is new enough and can make an environment with pip in it.
usable_python() {
  "$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))' >/dev/null 2>&1
}

choose_python() {
  if [ -n "${SHINAR_PYTHON:-}" ]; then
    usable_python "$SHINAR_PYTHON" ||
      fail "SHINAR_PYTHON=$SHINAR_PYTHON is not a Python 3.9 or later with venv and ensurepip"
    command -v "$SHINAR_PYTHON"
    return
  fi
  # The distribution's own first: it is the one python3-venv belongs to.
  for python in /usr/bin/python3 python3.13 python3.12 python3.11 python3.10 python3.9 python3; do
    if usable_python "$python"; then
      command -v "$python"
      return
    fi
  done
  fail "no Python 3.9 or later that can make a virtual environment; install python3-venv or set" \
    "SHINAR_PYTHON"
}

# What the environment was made from: if this text changes, the environment is made anew.
venv_recipe() {
  echo "python: $1"
  "$1" --version
  grep -v '^#' "$requirements"
}

make_venv() {
  # The interpreter is looked for only when it matters: there is no stamp, it names another one,
  # or the one it names is gone.
  made_with=$(sed -n 's/^python: //p' "$venv/stamp" 2>/dev/null || true)
  if [ -n "$made_with" ] && [ -x "$made_with" ] && [ -x "$venv/bin/python" ]; then
    python=${SHINAR_PYTHON:-$made_with}
    python=$(command -v "$python" || echo "$python")
    if [ "$(venv_recipe "$python" 2>/dev/null)" = "$(cat "$venv/stamp")" ]; then
      say "Python environment: ${venv#"$root"/}, made with $python"
      return 0
    fi
  fi
  if [ $dry_run = yes ]; then
    say "would make the Python environment ${venv#"$root"/} with:" \
      $(grep -v '^#' "$requirements")
    return 0
  fi
  python=$(choose_python)
  say "Python environment: ${venv#"$root"/}, made with $python ($("$python" --version))"
  rm -rf "$venv"
  mkdir -p "$build"
  "$python" -m venv "$venv"
  # What is never imported need not be compiled.
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 5 --no-compile \
    -r "$requirements" || fail "the Python packages of scripts/requirements.txt could not be installed"
  venv_recipe "$python" >"$venv/stamp"
}

if [ $want_packages = yes ] && [ "${SHINAR_SKIP_PACKAGES:-0}" != 1 ]; then install_packages; fi
if [ $want_venv = yes ]; then make_venv; fi
