/**
 * Code that verifies a delivery, with an endpoint's own values in it. Only what each language brings: nothing to install. None of it
 * goes on with a secret that is empty, by which anybody could sign.
 */
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
    { language: 'JavaScript', code: javascript(`const key = ${kept('process.env.WEBHOOK_SECRET')};`) },
    {
      language: 'Python',
      code: python({
        imports: `base64, hmac, json, ${secret ? '' : 'os, '}time`,
        key: `KEY = base64.b64decode(${kept('os.environ["WEBHOOK_SECRET"]')}.removeprefix("whsec_"))
if len(KEY) < 24: raise SystemExit("WEBHOOK_SECRET is missing or too short")`,
        fits: `expected = b"v1," + base64.b64encode(hmac.digest(KEY, text, "sha256"))
    return any(hmac.compare_digest(each.encode(), expected) for each in signatures)`,
      }),
    },
    {
      language: 'PHP',
      code: php({
        key: `$key = base64_decode(substr(${kept("getenv('WEBHOOK_SECRET')")}, strlen('whsec_')));
if (strlen($key) < 24) { http_response_code(500); exit('WEBHOOK_SECRET is missing or too short'); }`,
        fits: `$expected = 'v1,' . base64_encode(hash_hmac('sha256', $text, $key, true));
foreach ($signatures as $each) $fits = $fits || hash_equals($expected, $each);`,
      }),
    },
    {
      language: 'Go',
      code: go({
        imports: ['crypto/hmac', 'crypto/sha256', ...(secret ? [] : ['os'])],
        key: `base64.StdEncoding.DecodeString(strings.TrimPrefix(${kept('os.Getenv("WEBHOOK_SECRET")')}, "whsec_"))`,
        before: `mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))`,
        each: 'fits = fits || hmac.Equal([]byte(each), []byte(expected))',
      }),
    },
  ];
}

function withPublicKey(key: string): Receiver[] {
  return [
    { language: 'JavaScript', code: javascript(`const key = "${key}";`) },
    {
      language: 'Python',
      code: `# pip install cryptography
${python({
  imports: 'base64, json, time',
  more: `from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
`,
  key: `KEY = Ed25519PublicKey.from_public_bytes(base64.b64decode("${key}".removeprefix("whpk_")))`,
  fits: `for each in signatures:
        try:
            KEY.verify(base64.b64decode(each.removeprefix("v1a,")), text)
            return True
        except (InvalidSignature, ValueError):
            pass
    return False`,
})}`,
    },
    {
      language: 'PHP',
      code: php({
        key: `$key = base64_decode(substr('${key}', strlen('whpk_')));`,
        fits: `foreach ($signatures as $each) {
    $value = base64_decode(substr($each, strlen('v1a,')));
    if (strlen($value) === 64) $fits = $fits || sodium_crypto_sign_verify_detached($value, $text, $key);
}`,
      }),
    },
    {
      language: 'Go',
      code: go({
        imports: ['crypto/ed25519'],
        key: `base64.StdEncoding.DecodeString(strings.TrimPrefix("${key}", "whpk_"))`,
        each: `value, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(each, "v1a,"))
			fits = fits || ed25519.Verify(key, []byte(text), value)`,
      }),
    },
  ];
}

const javascript = (key: string) => `// npm install @tonerow/sdk
import { verifyWebhook } from '@tonerow/sdk';

${key}

export async function POST(request) {
  const verdict = await verifyWebhook(await request.text(), request.headers, key);
  if (!verdict.valid) return new Response(verdict.reason, { status: 400 });
  console.log(verdict.id, verdict.event.type, verdict.event.data);
  return new Response(null, { status: 204 });
}`;

interface Python {
  imports: string;
  more?: string;
  key: string;
  fits: string;
}

const python = ({ imports, more = '', key, fits }: Python) => `import ${imports}
from http.server import BaseHTTPRequestHandler, HTTPServer
${more}
${key}

def fits(text, signatures):
    ${fits}

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        sent = self.headers.get("webhook-timestamp", "")
        text = f'{self.headers["webhook-id"]}.{sent}.'.encode() + body
        signatures = self.headers.get("webhook-signature", "").split()
        fresh = sent.isdecimal() and len(sent) < 13 and abs(time.time() - int(sent)) < 300
        good = fresh and fits(text, signatures)
        if good:
            event = json.loads(body)
            print(self.headers["webhook-id"], event["type"], event["data"])
        self.send_response(204 if good else 400)
        self.end_headers()

HTTPServer(("127.0.0.1", 8787), Receiver).serve_forever()`;

const php = ({ key, fits }: { key: string; fits: string }) => `<?php // php -S 127.0.0.1:8787 receiver.php
${key}
$headers = array_change_key_case(getallheaders());
$id = $headers['webhook-id'] ?? '';
$sent = (int) ($headers['webhook-timestamp'] ?? 0);
$body = file_get_contents('php://input');
$text = "$id.$sent.$body";
$signatures = explode(' ', $headers['webhook-signature'] ?? '');
$fits = false;
${fits}
$good = $fits && abs(time() - $sent) < 300;
if ($good) error_log($id . ' ' . json_decode($body)->type);
http_response_code($good ? 204 : 400);`;

interface Go {
  imports: string[];
  key: string;
  before?: string;
  each: string;
}

const go = ({ imports, key, before, each }: Go) => `package main // go run receiver.go

import (
${[...imports, 'encoding/base64', 'fmt', 'io', 'log', 'net/http', 'strconv', 'strings', 'time']
  .sort()
  .map((name) => `\t"${name}"`)
  .join('\n')}
)

func main() {
	key, err := ${key}
	if err != nil || len(key) < 24 {
		log.Fatal("the key is missing, too short, or not in base64")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := r.Header.Get("webhook-id")
		sent, _ := strconv.ParseInt(r.Header.Get("webhook-timestamp"), 10, 64)
		text := fmt.Sprintf("%s.%d.%s", id, sent, body)
		${before ? `${before}\n\t\t` : ''}fits := false
		for _, each := range strings.Fields(r.Header.Get("webhook-signature")) {
			${each}
		}
		if !fits || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
			http.Error(w, "not verified", http.StatusBadRequest)
			return
		}
		log.Println(id, string(body))
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:8787", nil))
}`;
