#!/bin/sh
# A Citus cluster on this machine, for tests: a coordinator and workers under one folder.
#
#   scripts/citus/cluster.sh start FOLDER [WORKERS]   make and start it, with a database for the tests; prints its address
#   scripts/citus/cluster.sh add FOLDER               start one worker more, and print its port: it is not registered
#   scripts/citus/cluster.sh stop FOLDER              stop all
#   scripts/citus/cluster.sh node FOLDER N ACTION     one node, 0 is the coordinator: start, stop, restart, kill, pause, resume
#
# CITUS_PORT (7400) is the coordinator's port, the workers' follow it. Started by root, it runs as the user postgres.
set -eu

action=${1:?usage: scripts/citus/cluster.sh start|add|stop|node FOLDER …}
folder=${2:?which folder?}
first=${CITUS_PORT:-7400}
bin=$("${PG_CONFIG:-pg_config}" --bindir)

as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }
port() { echo $((first + $1)); }
place() { echo "$folder/node$1"; }
sql() { as "$bin/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$(port "$1")" -U postgres -d "$2" -Atc "$3"; }

make_node() {
  node=$(place "$1")
  if [ -d "$node" ]; then return; fi
  # some tests plant triggers that refuse
  as "$bin/initdb" -D "$node" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
  as tee -a "$node/postgresql.conf" >/dev/null <<SETTINGS
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = $(port "$1")
citus.node_conninfo = 'sslmode=prefer'
citus.enable_unsafe_triggers = on
max_connections = 500
max_prepared_transactions = 500
max_worker_processes = 200
max_locks_per_transaction = 512
wal_level = logical
shared_buffers = 256MB
fsync = off
synchronous_commit = off
full_page_writes = off
SETTINGS
}
start_node() { as "$bin/pg_ctl" -D "$(place "$1")" -l "$(place "$1")/log" -w -t 60 start >/dev/null; }
stop_node() { as "$bin/pg_ctl" -D "$(place "$1")" -m "$2" -w stop >/dev/null; }
nodes() { ls -d "$folder"/node* 2>/dev/null | sed 's/.*node//' | sort -n; }
# a stopped postmaster would leave its backends answering: the whole group is signaled
signal_node() {
  postmaster=$(head -n 1 "$(place "$1")/postmaster.pid")
  for pid in "$postmaster" $(pgrep -P "$postmaster"); do kill "-$2" "$pid" 2>/dev/null || true; done
}

case $action in
  start)
    workers=${3:-2}
    mkdir -p "$folder"
    if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
    for n in $(seq 0 "$workers"); do make_node "$n"; start_node "$n"; done
    if [ "$(sql 0 postgres "select count(*) from pg_database where datname = 'tonerow'")" = 0 ]; then
      for n in $(seq 0 "$workers"); do
        sql "$n" postgres 'create database tonerow' 2>/dev/null
        sql "$n" tonerow 'create extension citus'
      done
      for n in $(seq 1 "$workers"); do sql 0 tonerow "select citus_add_node('127.0.0.1', $(port "$n"))" >/dev/null; done
    fi
    echo "postgres://postgres@127.0.0.1:$(port 0)/tonerow"
    ;;
  add)
    n=$(($(nodes | tail -n 1) + 1))
    make_node "$n"
    start_node "$n"
    port "$n"
    ;;
  stop) for n in $(nodes); do stop_node "$n" fast || true; done ;;
  node)
    n=${3:?which node?}
    case ${4:?what?} in
      start) start_node "$n" ;;
      stop) stop_node "$n" fast ;;
      restart) stop_node "$n" fast && start_node "$n" ;;
      kill) signal_node "$n" KILL ;;
      pause) signal_node "$n" STOP ;;
      resume) signal_node "$n" CONT ;;
      *) echo "unknown: $4" >&2 && exit 64 ;;
    esac
    ;;
  *) echo "unknown: $action" >&2 && exit 64 ;;
esac
