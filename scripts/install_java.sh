#!/bin/sh
# Puts shinar.jar, its sources and its documentation into the local Maven repository, from where
# projects get it as org.shinar:shinar.
#
#   scripts/install_java.sh STAGE WORK [OPTION OF MVN]...
#
# STAGE is where Shinar is installed, WORK a folder for the documentation.
set -eu
stage=$(cd "$1" && pwd) work=$2
shift 2
jars=$stage/lib/shinar/java
[ -f "$jars/shinar.jar" ] || { echo "install-java: Shinar was built without a JDK" >&2; exit 1; }
version=$(unzip -p "$jars/shinar.jar" META-INF/MANIFEST.MF 2>/dev/null | tr -d '\r' |
  sed -n 's/^Implementation-Version: //p')
[ -n "$version" ] || version=$(sed -n 's/^project(Shinar VERSION \([0-9.]*\).*/\1/p' "$(dirname "$0")/../CMakeLists.txt")

rm -rf "$work"
mkdir -p "$work/sources" "$work/documentation"
work=$(cd "$work" && pwd)
(cd "$work/sources" && jar xf "$jars/shinar-sources.jar")
javadoc -quiet -Xdoclint:all,-missing -Werror -d "$work/documentation" -sourcepath "$work/sources" \
  -subpackages sidl
jar --create --file "$work/shinar-javadoc.jar" -C "$work/documentation" .
mvn -q -B org.apache.maven.plugins:maven-install-plugin:3.1.1:install-file "$@" \
  -DgroupId=org.shinar -DartifactId=shinar -Dversion="$version" -Dpackaging=jar \
  -Dfile="$jars/shinar.jar" -Dsources="$jars/shinar-sources.jar" \
  -Djavadoc="$work/shinar-javadoc.jar"
echo "org.shinar:shinar:$version"
