#!/bin/sh
# Builds Citus against the PostgreSQL that pg_config names, and installs it there.
#
#   scripts/citus/build.sh SOURCE [VERSION]
#
# SOURCE is a folder with Citus' sources, or a git repository of them, from which VERSION (v13.2.2) is taken. PG_CONFIG names
# another pg_config, CITUS_BUILD another folder to build in. On Debian it needs: build-essential flex postgresql-server-dev-15
# libkrb5-dev libselinux1-dev libssl-dev libpam0g-dev libxslt1-dev libreadline-dev libicu-dev
set -eu

source=${1:?usage: scripts/citus/build.sh SOURCE [VERSION]}
version=${2:-v13.2.2}
pg_config=${PG_CONFIG:-$(command -v pg_config)}
build=${CITUS_BUILD:-$(mktemp -d)}

mkdir -p "$build"
if [ -f "$source/configure" ]; then
  cp -R "$source/." "$build"
else
  git -C "$source" archive "$version" | tar -x -C "$build"
fi
cd "$build"
# PostgreSQL 15.20 and its contemporaries have this function themselves, under the same name
if grep -qs have_createdb_privilege "$("$pg_config" --includedir-server)/commands/dbcommands.h"; then
  sed -i '/^static inline bool$/{N;/have_createdb_privilege/{:a;N;/\n}$/!ba;d}}' src/include/pg_version_compat.h
fi
# what is left out: statistics that Citus sends home, and two ways to compress columnar tables
PG_CONFIG="$pg_config" ./configure --without-libcurl --without-lz4 --without-zstd
# bitcode for the JIT would need clang, and as long again
nice -n 5 make -j"${JOBS:-2}" with_llvm=no
make install with_llvm=no
printf 'Citus %s is installed for %s.\n' "$version" "$("$pg_config" --version)"
