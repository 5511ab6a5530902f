#!/bin/sh
# Compiles the C code that sidlc has generated: native.sh PREFIX GENERATED LIBRARY
set -eu
prefix=$1 generated=$2 library=$3
java_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
mkdir -p "$(dirname "$library")"
${CC:-cc} -O2 -shared -fPIC -I"$generated" -I"$prefix/include/shinar" \
  -I"$java_home/include" -I"$java_home/include/linux" "$generated"/*.c \
  -L"$prefix/lib" -lsidl_java -lsidl -Wl,-rpath,"$prefix/lib" -Wl,-z,nodelete -o "$library"
