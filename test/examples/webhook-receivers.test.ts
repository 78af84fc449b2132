import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@tonerow/test-support/process.ts';
import { execa, execaSync } from 'execa';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiversOf } from '../../packages/web/src/features/webhooks/receivers.ts';

const has = (program: string, ...args: string[]) => {
  const { failed } = execaSync(program, args, { reject: false });
  if (failed) process.stderr.write(`  ${program} is missing: its receivers are not tried\n`);
  return !failed;
};
interface Language {
  file: string;
  is: boolean;
  run(port: number): string[];
}

const EXAMPLE = 'examples/webhooks/receiver.mjs';
const example: Language = { file: 'receiver.mjs', is: true, run: () => [process.execPath, 'receiver.mjs'] };
/** The Node of the machine, which may be as old as the README allows: not the packaged one of this checkout. */
const elsewhere = (process.env.PATH ?? '').split(path.delimiter).filter((part) => !part.includes('node_modules'));
const { stdout: plainNode = '' } = execaSync('sh', ['-c', 'command -v node'], {
  env: { PATH: elsewhere.join(path.delimiter) },
  reject: false,
});
const onPlainNode: Language = { ...example, is: plainNode !== '', run: () => [plainNode, 'receiver.mjs'] };
/** Features that are newer than Node 20. */
const TOO_NEW = /Array\.fromAsync|Promise\.(withResolvers|try)|Object\.groupBy|Map\.groupBy|\bWebSocket\b|import defer/;
/** The receivers that the dashboard shows. */
const shown: Record<string, Language> = {
  JavaScript: {
    file: 'receiver.mjs',
    is: true,
    run: () => [process.execPath, '--conditions=@tonerow/source', 'framework.mjs'],
  },
  Python: {
    file: 'receiver.py',
    is: has('python3', '-c', 'import cryptography'),
    run: () => ['python3', '-u', 'receiver.py'],
  },
  PHP: {
    file: 'receiver.php',
    is: has('php', '-r', 'sodium_bin2hex("a");'),
    run: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
  Go: { file: 'receiver.go', is: has('go', 'version'), run: () => ['./receiver'] },
};
/** Calls `POST` as the frameworks do that have it. */
const FRAMEWORK = `import { createServer } from 'node:http';
import { POST } from './receiver.mjs';

createServer(async (request, response) => {
  const { method, headers } = request;
  const asked = new Request('http://127.0.0.1/', { method, headers, body: request, duplex: 'half' });
  const { status } = await POST(asked).catch(() => new Response(null, { status: 500 }));
  response.writeHead(status).end();
}).listen(8787, '127.0.0.1');
`;

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

const codeOf = (language: string, values: Parameters<typeof receiversOf>[0]) =>
  String(receiversOf(values).find((each) => each.language === language)?.code);

/** Writes a receiver and what it needs into a folder of its own, ready to be run. */
async function prepare(code: string, { file, run }: Language) {
  const cwd = await mkdtemp(path.join(folder, 'one-'));
  const port = await freePort();
  const write = (name: string, text: string) => writeFile(path.join(cwd, name), text.replaceAll('8787', String(port)));
  await write(file, code);
  await write('framework.mjs', FRAMEWORK);
  await symlink(path.resolve('node_modules'), path.join(cwd, 'node_modules'));
  const env = { GOCACHE: path.join(folder, 'go'), GOFLAGS: '-mod=mod', GO111MODULE: 'off' };
  if (file.endsWith('.go')) await execa('go', ['build', '-o', 'receiver', file], { cwd, env });
  const [program, ...args] = run(port) as [string, ...string[]];
  const start = (WEBHOOK_SECRET?: string) => {
    const { WEBHOOK_SECRET: _, ...environment } = process.env;
    return execa(program, args, {
      cwd,
      reject: false,
      all: true,
      extendEnv: false,
      env: WEBHOOK_SECRET === undefined ? environment : { ...environment, WEBHOOK_SECRET },
    });
  };
  const post = async (headers: Record<string, string>, sent = body) => {
    const url = `http://127.0.0.1:${port}/`;
    const answer = await fetch(url, { method: 'POST', headers, body: sent }).catch(() => null);
    return answer?.status;
  };
  return { port, start, post };
}

/** A sender that promises more than it sends, and is gone. */
async function cutOff(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.resume().end('POST / HTTP/1.1\r\nhost: receiver\r\ncontent-length: 100\r\n\r\nabc');
  await once(socket, 'close');
}

async function expectTakesWhatIsSigned(code: string, language: Language, kind: 'v1' | 'v1a'): Promise<void> {
  const { port, start, post } = await prepare(code, language);
  const child = start(secret);
  const send = (change: object = {}, sent = body, at = new Date()) => {
    const id = randomUUID();
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signed(kind, id, at),
      ...change,
    };
    return post(headers, sent);
  };
  try {
    await expect.poll(() => send(), { timeout: 20_000, interval: 100 }).toBe(204);
    expect(await send({}, body.replace('redeemed', 'revoked'))).toBe(400);
    expect(await send({ 'webhook-id': randomUUID() })).toBe(400);
    expect(await send({ 'webhook-signature': `${kind},AAAA` })).toBe(400);
    expect(await send({}, body, new Date(Date.now() - 6 * 60_000))).toBe(400);
    for (const time of ['soon', '', '9'.repeat(5000)]) expect(await send({ 'webhook-timestamp': time })).toBe(400);
    await cutOff(port);
    expect(await send()).toBe(204);
  } finally {
    child.kill('SIGKILL');
    await child;
  }
}

/** Expects the receiver to need a secret. Without one, anyone who knows that there is none could sign. */
async function expectNeedsSecret(code: string, language: Language): Promise<void> {
  const { start, post } = await prepare(code, language);
  for (const weak of [undefined, '', 'whsec_', `whsec_${randomBytes(16).toString('base64')}`]) {
    const key = Buffer.from(weak?.slice('whsec_'.length) ?? '', 'base64');
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', key).update(`evt.${time}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'evt', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    const child = start(weak);
    const ended = () => (child.nodeChildProcess.exitCode === null ? undefined : 'it did not start');
    try {
      let outcome: string | number | undefined;
      const look = async () => {
        outcome = (await post(headers)) ?? ended();
        return outcome;
      };
      await expect.poll(look, { timeout: 20_000, interval: 100 }).toBeDefined();
      expect(['it did not start', 400, 500], `with ${weak}`).toContain(outcome);
    } finally {
      child.kill('SIGKILL');
      await child;
    }
  }
}

describe(EXAMPLE, () => {
  const code = () => readFile(path.resolve(EXAMPLE), 'utf8');

  it('takes what is signed, and nothing that was changed, is old or was cut off', async () => {
    await expectTakesWhatIsSigned(await code(), example, 'v1');
  });

  it.skipIf(!onPlainNode.is)('does so on the Node of the machine, too', async () => {
    await expectTakesWhatIsSigned(await code(), onPlainNode, 'v1');
  });

  it('uses nothing that Node 20 lacks', async () => {
    expect(await code()).not.toMatch(TOO_NEW);
  });

  it('takes nothing without a secret', async () => {
    await expectNeedsSecret(await code(), example);
  });
});

describe('the receiver that the dashboard shows', { timeout: 180_000 }, () => {
  for (const [name, language] of Object.entries(shown)) {
    it.skipIf(!language.is).each(['v1', 'v1a'] as const)(
      `in ${name} for %s takes what is signed, and nothing that was changed, is old or was cut off`,
      async (signature) => {
        await expectTakesWhatIsSigned(codeOf(name, { signature, secret, publicKey }), language, signature);
      },
    );

    it.skipIf(!language.is)(`in ${name} takes nothing without a secret`, async () => {
      await expectNeedsSecret(codeOf(name, { signature: 'v1', secret: null, publicKey: null }), language);
    });
  }
});
