#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Asks whether this machine may go on. Prints the server's answer.
#
#   LICENSE_KEY       the license key
#   MACHINE_ID        any text that is this machine's own, without white space and , ; #
#   VALIDATION_TOKEN  what activate answered, or the last validate (optional)
#   TONEROW_URL       the server                      (here: {{TONEROW_URL}})
#   PLUGIN_KEY        a plugin key of the developer   (filled in below)
#   PRODUCT_ID        only this product will do       (filled in below; optional)
#
# Ends with 0 when the answer is yes, 1 when it is no, 2 when something is missing, 3 when there is no server.
set -euo pipefail

fail() {
  printf '%s\n' "$1" >&2
  exit "$2"
}

default_url='{{TONEROW_URL}}'
default_key='{{PLUGIN_KEY}}'
default_product='{{PRODUCT_ID}}'
TONEROW_URL=${TONEROW_URL:-$default_url}
PLUGIN_KEY=${PLUGIN_KEY:-$default_key}
PRODUCT_ID=${PRODUCT_ID:-$default_product}
[[ $PRODUCT_ID != '{{'* ]] || PRODUCT_ID=''

for name in TONEROW_URL PLUGIN_KEY LICENSE_KEY MACHINE_ID; do
  value=${!name:-}
  [[ -n $value && $value != '{{'* ]] || fail "Set $name." 2
done
command -v curl >/dev/null || fail 'curl is not installed.' 2

# the plugin key goes in by standard input: other users of this machine can read the arguments of a command
answer=$(curl --silent --show-error --max-time 20 --write-out '\n%{http_code}' --header @- \
  --data-urlencode "license_key=$LICENSE_KEY" \
  --data-urlencode "machine_id=$MACHINE_ID" \
  --data-urlencode "product_id=$PRODUCT_ID" \
  --data-urlencode "validation_token=${VALIDATION_TOKEN:-}" \
  "${TONEROW_URL%/}/api/license/v1/validate" <<<"Authorization: Bearer $PLUGIN_KEY") ||
  fail "There is no answer from $TONEROW_URL." 3

code=${answer##*$'\n'}
body=${answer%$'\n'*}
printf '%s\n' "$body"
[[ $code == 200 ]] && exit 0

error=$(sed -nE 's/.*"error":"(([^"\\]|\\.)*)".*/\1/p' <<<"$body")
fail "Not valid: ${error:-HTTP $code}" 1
