import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa, execaSync } from 'execa';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiversOf } from '../../packages/web/src/features/webhooks/receivers.ts';
import { freePort } from '../support/process.ts';

const has = (program: string, ...args: string[]) => {
  const { failed } = execaSync(program, args, { reject: false });
  if (failed) process.stderr.write(`  ${program} is missing: its receivers are not tried\n`);
  return !failed;
};
const languages = {
  Python: {
    file: 'receiver.py',
    is: has('python3', '-c', 'import cryptography'),
    run: () => ['python3', '-u', 'receiver.py'],
  },
  PHP: {
    file: 'receiver.php',
    is: has('php', '-r', 'sodium_bin2hex("a");'),
    run: (port: number) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  Go: { file: 'receiver.go', is: has('go', 'version'), run: () => ['./receiver'] },
} as const;

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const pair = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const publicKey = `whpk_${Buffer.from(pair.publicKey.export({ format: 'jwk' }).x as string, 'base64url').toString('base64')}`;
const body = '{"type":"serial.redeemed","timestamp":"2026-03-10T12:00:00.000Z","data":{"product_name":"Prism – ü 🎛"}}';

/** The signatures of a rotation: one of a secret or key that the receiver does not know, and the one that it does. */
function signed(kind: 'v1' | 'v1a', id: string, at: Date): string {
  if (kind === 'v1') {
    const both = [`whsec_${randomBytes(32).toString('base64')}`, secret];
    return both.map((each) => new Webhook(each).sign(id, at, body)).join(' ');
  }
  const text = Buffer.from(`${id}.${Math.floor(at.getTime() / 1000)}.${body}`);
  return [other, pair].map(({ privateKey }) => `v1a,${sign(null, text, privateKey).toString('base64')}`).join(' ');
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-receivers-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(['v1', 'v1a'] as const)('the receiver that the dashboard shows for %s', (signature) => {
  for (const [language, { file, is, run }] of Object.entries(languages))
    it.skipIf(!is)(`in ${language} takes what is signed, and nothing that was changed or is old`, async () => {
      const cwd = await mkdtemp(path.join(folder, 'one-'));
      const port = await freePort();
      const code = receiversOf({ signature, secret, publicKey }).find((each) => each.language === language)?.code;
      await writeFile(path.join(cwd, file), String(code).replaceAll('8787', String(port)));
      const env = { GOCACHE: path.join(folder, 'go'), GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
      if (language === 'Go') await execa('go', ['build', '-o', 'receiver', file], { cwd, env });
      const [program, ...args] = run(port);
      const child = execa(program as string, args, { cwd, reject: false, all: true });
      const post = async (change: object = {}, sent = body, at = new Date()) => {
        const id = randomUUID();
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': signed(signature, id, at),
          ...change,
        };
        const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent }).catch(
          () => null,
        );
        return answer?.status;
      };
      try {
        await expect.poll(() => post(), { timeout: 20_000, interval: 100 }).toBe(204);
        expect(await post({}, body.replace('redeemed', 'revoked'))).toBe(400);
        expect(await post({ 'webhook-id': randomUUID() })).toBe(400);
        expect(await post({ 'webhook-signature': `${signature},AAAA` })).toBe(400);
        expect(await post({}, body, new Date(Date.now() - 6 * 60_000))).toBe(400);
      } finally {
        child.kill('SIGKILL');
        await child;
      }
    });
});
