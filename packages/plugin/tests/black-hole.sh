#!/bin/sh
# SPDX-License-Identifier: ISC
# Runs a test in a network of its own: packets to all addresses vanish, those to the name server too. 77: not here.
if [ "$TONEROW_BLACK_HOLE" = "" ]; then
    unshare -rnm true 2>/dev/null || { echo "skipped: no namespaces (unshare) here"; exit 77; }
    TONEROW_BLACK_HOLE=1 exec unshare -rnm "$0" "$@"
fi

servers=$(mktemp)
trap 'rm -f "$servers"' EXIT
echo "nameserver 10.66.0.53" > "$servers"
ip link set lo up && ip link add hole type ifb 2>/dev/null || ip link add hole type dummy 2>/dev/null \
    || { echo "skipped: the system has no interface of the type ifb or dummy"; exit 77; }
ip address add 10.66.0.1/24 dev hole && ip link set hole up || exit 77
# without ARP everything is sent, and nothing comes back
ip link set hole arp off
mount --bind "$servers" /etc/resolv.conf || { echo "skipped: /etc/resolv.conf cannot be replaced"; exit 77; }
"$@"
