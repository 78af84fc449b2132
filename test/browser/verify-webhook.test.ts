import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { browserPages } from '@tonerow/test-support/browser-suite.ts';
import { listening } from '@tonerow/test-support/egress-peers.ts';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const page = '<!doctype html><title>A page that takes webhooks</title>';
const body = '{"type":"webhook.test","data":{"message":"emoji 🎛 and \\ud800 alone"}}';
const seconds = 1_773_144_000;
const signedText = `evt.${seconds}.${body}`;
const headersWith = (signature: string) => ({
  'webhook-id': 'evt',
  'webhook-timestamp': String(seconds),
  'webhook-signature': signature,
});

const key = randomBytes(32);
const pair = generateKeyPairSync('ed25519');
const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url');
const cases = {
  v1: {
    secret: `whsec_${key.toString('base64')}`,
    headers: headersWith(`v1,${createHmac('sha256', key).update(signedText).digest('base64')}`),
  },
  v1a: {
    secret: `whpk_${publicKey.toString('base64')}`,
    headers: headersWith(`v1a,${sign(null, Buffer.from(signedText), pair.privateKey).toString('base64')}`),
  },
};

const { newPage } = browserPages();
let script: string;
const server = createServer((request, response) => {
  const isScript = request.url === '/verify.js';
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
  response.end(isScript ? script : page);
});
let origin: string;

beforeAll(async () => {
  // for a browser, so that anything of Node's own in it fails here
  const built = await build({
    stdin: {
      contents: `import { verifyWebhook } from './packages/sdk/src/signatures/verify-webhook.ts';
        globalThis.verify = ({ body, headers, secret, at }) => verifyWebhook(body, headers, secret, { now: new Date(at) });
        globalThis.onmessage = async ({ data }) => data.secret && postMessage(await globalThis.verify(data));`,
      resolveDir: fileURLToPath(new URL('../../', import.meta.url)),
    },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
  });
  script = built.outputFiles[0]?.text ?? '';
  origin = `http://127.0.0.1:${await listening(server)}`;
}, 60_000);
afterAll(() => void server.close());

it.each(['v1', 'v1a'] as const)('verifyWebhook verifies %s in a page and in a worker of a browser', async (kind) => {
  const tab = await newPage();
  await tab.goto(origin);
  await tab.addScriptTag({ url: '/verify.js' });
  const given = { ...cases[kind], body, at: seconds * 1000 };
  for (const where of ['page', 'worker'] as const) {
    const verdictOf = (asked: object) =>
      tab.evaluate(
        ([at, what]) => {
          if (at === 'page') return (globalThis as never as { verify(asked: object): Promise<object> }).verify(what);
          const worker = new Worker('/verify.js');
          return new Promise<object>((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = ({ message }) => reject(new Error(message));
            worker.postMessage(what);
          });
        },
        [where, asked] as const,
      );
    expect(await verdictOf(given), where).toMatchObject({ valid: true, id: 'evt', event: JSON.parse(body) });
    const changed = await verdictOf({ ...given, body: body.replace('🎛', '🎚') });
    expect(changed, where).toEqual({ valid: false, reason: 'signature' });
  }
});
