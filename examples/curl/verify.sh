#!/usr/bin/env bash
# SPDX-License-Identifier: ISC
# Asks whether this machine may go on, as validate.sh does, and believes only what the developer's key signed for this very
# question. Prints the server's answer.
#
#   LICENSE_KEY       the license key
#   MACHINE_ID        any text that is this machine's own, without white space and , ; #
#   JWKS              a file with the developer's public keys (optional; without it they are fetched, from whoever answers)
#   TONEROW_URL       the server                      (here: {{TONEROW_URL}})
#   PLUGIN_KEY        a plugin key of the developer   (filled in below)
#   DEVELOPER_ID      the developer                   (filled in below; only needed without JWKS)
#
# Needs OpenSSL 3. Ends with 0 when the answer is yes, 1 when it is no, 2 when something is missing, 3 when there is no
# server, 4 when the answer is not signed by the server, as for an unknown plugin key.
set -euo pipefail

fail() {
  printf '%s\n' "$1" >&2
  exit "$2"
}

default_url='{{TONEROW_URL}}'
default_key='{{PLUGIN_KEY}}'
default_developer='{{DEVELOPER_ID}}'
TONEROW_URL=${TONEROW_URL:-$default_url}
PLUGIN_KEY=${PLUGIN_KEY:-$default_key}
DEVELOPER_ID=${DEVELOPER_ID:-$default_developer}
JWKS=${JWKS:-}

for name in TONEROW_URL PLUGIN_KEY LICENSE_KEY MACHINE_ID DEVELOPER_ID; do
  [[ $name == DEVELOPER_ID && -n $JWKS ]] && continue
  value=${!name:-}
  [[ -n $value && $value != '{{'* ]] || fail "Set $name." 2
done
command -v curl >/dev/null || fail 'curl is not installed.' 2
# macOS brings LibreSSL, which does not know Ed25519
[[ $(openssl version 2>/dev/null) =~ ^OpenSSL\ ([3-9]|[1-9][0-9]) ]] || fail 'OpenSSL 3 is not installed.' 2

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
url=${TONEROW_URL%/}
path=/api/license/v1/validate
nonce=$(openssl rand -hex 16)
: >"$folder/body" # curl makes none when nothing comes

# the plugin key goes in by standard input: other users of this machine can read the arguments of a command
code=$(curl --silent --show-error --max-time 20 --write-out '%{http_code}' --header @- \
  --header "X-Tonerow-Nonce: $nonce" --dump-header "$folder/headers" --output "$folder/body" \
  --data-urlencode "license_key=$LICENSE_KEY" \
  --data-urlencode "machine_id=$MACHINE_ID" \
  "$url$path" <<<"Authorization: Bearer $PLUGIN_KEY") ||
  fail "There is no answer from $TONEROW_URL." 3

header() {
  awk -v name="$1" '{ sub(/\r$/, "") } tolower($1) == name ":" { sub(/^[^:]*: */, ""); print }' "$folder/headers"
}

signed=$(header x-tonerow-signature)
date=$(header x-tonerow-date)
[[ -n $signed ]] || fail "The answer is not signed (HTTP $code)." 4
[[ $signed =~ ^ed25519=([A-Za-z0-9+/]{86}==)\;\ kid=([A-Za-z0-9_-]+)$ ]] || fail 'The signature is malformed.' 4
signature=${BASH_REMATCH[1]}
kid=${BASH_REMATCH[2]}
[[ $date =~ ^[0-9]{1,15}$ ]] || fail 'The date is malformed.' 4

if [[ -n $JWKS ]]; then
  cat -- "$JWKS" >"$folder/jwks"
else
  curl --silent --show-error --max-time 20 --get --data-urlencode "dev=$DEVELOPER_ID" --output "$folder/jwks" \
    "$url/api/license/v1/jwks" || fail "There is no answer from $TONEROW_URL." 3
fi
# one key a line
x=$(tr -d ' \t\r\n' <"$folder/jwks" | tr '{' '\n' | grep -F "\"kid\":\"$kid\"" |
  sed -nE 's/.*"x":"([A-Za-z0-9_-]{43})".*/\1/p') || true
[[ -n $x ]] || fail "The key $kid is not one of the developer's." 4

# what every Ed25519 key begins with (RFC 8410), and its 32 bytes
printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s=\n-----END PUBLIC KEY-----\n' \
  "$(tr '_-' '/+' <<<"$x")" >"$folder/key.pem"
openssl base64 -d -A <<<"$signature" >"$folder/signature"
digest=$(openssl dgst -sha256 -r "$folder/body")
# the five lines, with our nonce: what was signed for another question does not verify
printf '%s\n%s\n%s\n%s\n%s' POST "$path" "${digest%% *}" "$date" "$nonce" >"$folder/text"
openssl pkeyutl -verify -pubin -inkey "$folder/key.pem" -rawin -in "$folder/text" -sigfile "$folder/signature" \
  >/dev/null 2>&1 || fail 'The signature is wrong, or is for another question.' 4
age=$(($(date +%s) - 10#$date))
((age <= 300 && age >= -300)) || fail "The answer was signed $age seconds ago. Is this computer's clock right?" 4

body=$(cat "$folder/body")
printf '%s\n' "$body"
# the HTTP status is not signed
[[ $body == '{"ok":true,'* ]] && exit 0

error=$(sed -nE 's/.*"error":"(([^"\\]|\\.)*)".*/\1/p' <<<"$body")
fail "Not valid: ${error:-HTTP $code}" 1
