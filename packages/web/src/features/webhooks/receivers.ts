/** Code that verifies a delivery, with an endpoint's own values in it. */
export interface Receiver {
  language: string;
  code: string;
}

interface Values {
  signature: 'v1' | 'v1a';
  /** `whsec_…` where it is known, which it is once; null afterwards. */
  secret: string | null;
  publicKey: string | null;
}

export function receiversOf({ signature, secret, publicKey }: Values): Receiver[] {
  return signature === 'v1' ? withSecret(secret) : withPublicKey(publicKey ?? 'whpk_…');
}

function withSecret(secret: string | null): Receiver[] {
  const kept = (fromEnvironment: string) => (secret ? `"${secret}"` : fromEnvironment);
  return [
    {
      language: 'JavaScript',
      code: `// npm install @tonerow/sdk
import { verifyWebhook } from '@tonerow/sdk';

const secret = ${kept('process.env.WEBHOOK_SECRET')};

export async function POST(request) {
  const verdict = await verifyWebhook(await request.text(), request.headers, secret);
  if (!verdict.valid) return new Response(verdict.reason, { status: 400 });
  console.log(verdict.id, verdict.event.type, verdict.event.data);
  return new Response(null, { status: 204 });
}`,
    },
    {
      language: 'Python',
      code: `# pip install standardwebhooks flask
import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook

app = Flask(__name__)
webhook = Webhook(${kept('os.environ["WEBHOOK_SECRET"]')})

@app.post("/webhooks")
def receive():
    event = webhook.verify(request.get_data(), dict(request.headers))
    print(request.headers["webhook-id"], event["type"], event["data"])
    return "", 204`,
    },
    {
      language: 'PHP',
      code: `<?php // composer require standard-webhooks/standard-webhooks
require 'vendor/autoload.php';

$webhook = new \\StandardWebhooks\\Webhook(${kept("getenv('WEBHOOK_SECRET')")});
$headers = array_change_key_case(getallheaders());
$event = $webhook->verify(file_get_contents('php://input'), $headers);
error_log($headers['webhook-id'] . ' ' . $event['type']);
http_response_code(204);`,
    },
    {
      language: 'Go',
      code: `// go get github.com/standard-webhooks/standard-webhooks/libraries/go
wh, err := standardwebhooks.NewWebhook(${kept('os.Getenv("WEBHOOK_SECRET")')})
if err != nil {
	log.Fatal(err)
}
http.HandleFunc("/webhooks", func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if err := wh.Verify(body, r.Header); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	log.Println(r.Header.Get("webhook-id"), string(body))
	w.WriteHeader(http.StatusNoContent)
})`,
    },
  ];
}

function withPublicKey(key: string): Receiver[] {
  return [
    {
      language: 'JavaScript',
      code: `// npm install @tonerow/sdk
import { verifyWebhook } from '@tonerow/sdk';

const publicKey = '${key}';

export async function POST(request) {
  const verdict = await verifyWebhook(await request.text(), request.headers, publicKey);
  if (!verdict.valid) return new Response(verdict.reason, { status: 400 });
  console.log(verdict.id, verdict.event.type, verdict.event.data);
  return new Response(null, { status: 204 });
}`,
    },
    {
      language: 'Python',
      code: `# pip install cryptography
import base64, time
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY = Ed25519PublicKey.from_public_bytes(base64.b64decode("${key}"[len("whpk_"):]))

def verify(body: bytes, headers: dict) -> None:
    sent = int(headers["webhook-timestamp"])
    if abs(time.time() - sent) > 300:
        raise ValueError("too old or too new")
    text = f'{headers["webhook-id"]}.{sent}.'.encode() + body
    for each in headers["webhook-signature"].split():
        version, _, value = each.partition(",")
        if version == "v1a":
            return KEY.verify(base64.b64decode(value), text)  # raises unless it fits
    raise ValueError("no v1a signature")`,
    },
    {
      language: 'PHP',
      code: `<?php
$key = base64_decode(substr('${key}', strlen('whpk_')));
$headers = array_change_key_case(getallheaders());
$body = file_get_contents('php://input');
$text = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
$fits = false;
foreach (explode(' ', $headers['webhook-signature']) as $each) {
    [$version, $value] = explode(',', $each, 2);
    if ($version === 'v1a') $fits = $fits || sodium_crypto_sign_verify_detached(base64_decode($value), $text, $key);
}
$late = abs(time() - (int) $headers['webhook-timestamp']) > 300;
http_response_code($fits && !$late ? 204 : 400);`,
    },
    {
      language: 'Go',
      code: `key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix("${key}", "whpk_"))
http.HandleFunc("/webhooks", func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	sent, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
	text := fmt.Sprintf("%s.%d.%s", r.Header.Get("webhook-id"), sent, body)
	for _, each := range strings.Fields(r.Header.Get("webhook-signature")) {
		signature, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(each, "v1a,"))
		age := time.Since(time.Unix(sent, 0)).Abs()
		if age < 5*time.Minute && len(signature) == ed25519.SignatureSize && ed25519.Verify(key, []byte(text), signature) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
	}
	http.Error(w, "not signed by Tonerow", http.StatusBadRequest)
})`,
    },
  ];
}
