import { chmod, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call, makeProduct, makeSerials, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { ApiHost } from '@tonerow/test-support/shops/api-host.ts';
import { type StandInKind, standInKinds, standIns } from '@tonerow/test-support/shops/stand-ins.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputMatches, readSteps, type Step } from './steps.ts';

const FOLDER = 'docs/guides';
const guides = (await readdir(FOLDER)).filter((file) => file.endsWith('.md') && file !== 'README.md').sort();
/** It makes its own account; the others begin signed in. */
const FIRST = 'first-batch.md';
/** Their reader sells for a developer. */
const FOR_RESELLERS = ['draw-codes.md', 'sell-by-hand.md'];

/** The secret that a shop shows the reader of its guide, if the secret is the shop's own. */
const SHOWN = 'whsec_that_the_shop_shows_0123456789';

let db: TestDatabase;
let host: ApiHost;
let server: ServerProcess;
let bin: string;
beforeAll(async () => {
  db = await createTestDatabase();
  host = await new ApiHost().start();
  const env = { ...host.env, DATABASE_URL: db.url, TONEROW_SECRET: TEST_SECRET };
  server = await spawnServer({ env });
  bin = await mkdtemp(path.join(tmpdir(), 'tonerow-guides-bin-'));
  const client = path.resolve('packages/cli/bin/tonerow.cjs');
  await writeFile(path.join(bin, 'tonerow'), `#!/bin/sh\nexec '${process.execPath}' '${client}' "$@"\n`);
  await chmod(path.join(bin, 'tonerow'), 0o755);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended();
  host.stop();
  await db.drop();
});

describe('the guides', () => {
  it('are listed on the first page, each once', async () => {
    const list = await readFile(path.join(FOLDER, 'README.md'), 'utf8');
    const linked = [...list.matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, file]) => file);
    expect(linked.toSorted()).toEqual(guides);
  });

  it.each(guides)(
    'work as written: %s',
    async (guide) => {
      const steps = readSteps(await readFile(path.join(FOLDER, guide), 'utf8'));
      expect(steps.length).toBeGreaterThan(0);
      const home = await mkdtemp(path.join(tmpdir(), 'tonerow-guide-'));
      const env = {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: home,
        TONEROW_URL: server.url,
        XDG_CONFIG_HOME: path.join(home, '.config'),
        XDG_STATE_HOME: path.join(home, '.state'),
      };
      const reader = guide === FIRST ? null : await readerOf(guide);
      if (reader) await signIn(reader, env, home);
      const kind = standInKinds.find((each) => guide === `shops-${each}.md`);
      if (kind) await writeShown(kind, home);
      const results = await runAll(steps, env, home);
      for (const [index, step] of steps.entries()) {
        const { done, printed } = results[index] as Result;
        const run = `${step.script}\n\n${printed}`;
        expect(done, run).toBe(true);
        if (step.output !== null) expect(outputMatches(printed, step.output), run).toBe(true);
      }
      if (kind && reader) await sellAndRefund(kind, reader, (results[0] as Result).printed);
    },
    120_000,
  );
});

/** The reader of a guide, with everything that the guide takes for granted. */
async function readerOf(guide: string): Promise<Person> {
  const at = { url: server.url, db };
  if (!FOR_RESELLERS.includes(guide)) return signUpVerified(at);
  const { developer, reseller, partnershipId } = await makePartners(at);
  const { id } = await makeProduct(at, developer.token, { name: 'Prism Delay' });
  await makeSerials(at, developer.token, id, { quantity: 10, reseller_id: partnershipId });
  return reseller;
}

/** The files in which the reader of a shop's guide has what that shop shows: its secret, and what opens its API. */
async function writeShown(kind: StandInKind, home: string): Promise<void> {
  const { opens } = standIns[kind]({ address: 'http://127.0.0.1:1/', secret: SHOWN }, host);
  await writeFile(path.join(home, 'secret.txt'), SHOWN);
  await writeFile(path.join(home, 'key.txt'), opens.key);
}

/** Sells and refunds in the shop that the reader of its guide has connected. */
async function sellAndRefund(kind: StandInKind, { token }: Person, connected: string): Promise<void> {
  const ask = async (method: string, to: string, body?: object) => {
    const answer = await call(server, method, to, { token, ...(body ? { body } : {}) });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const { shops } = await ask('GET', '/api/shops');
  const [{ id, address }] = shops;
  expect(connected).toContain(address);
  const made = connected.split('\n')[1] ?? '';
  const shop = standIns[kind]({ address, secret: /^[\w]{32}$/.test(made) ? made : SHOWN }, host);
  // some guides leave this to readers who want it
  await ask('PUT', `/api/shops/${id}/credentials`, shop.opens);
  const product = await makeProduct(server, token);
  await ask('PUT', `/api/shops/${id}/items`, { items: [{ key: shop.sells, product_ids: [product.id] }] });
  const { order, status } = await shop.buy('nina@example.com');
  expect(status).toBe(200);
  const shown = async () => (await ask('GET', `/api/shops/${id}/orders`)).rows[0];
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ state: 'issued', email: 'nina@example.com' });
  expect(await shop.refund(order)).toBe(200);
  await expect.poll(shown, { timeout: 30_000 }).toMatchObject({ state: 'refunded', serials: 0 });
}

async function signIn(person: Person, env: Record<string, string>, cwd: string): Promise<void> {
  await execa(path.join(bin, 'tonerow'), ['login', '--with-token'], {
    input: person.token,
    env,
    extendEnv: false,
    cwd,
  });
  expect((await call(server, 'GET', '/api/auth/me', { token: person.token })).status).toBe(200);
}

interface Result {
  done: boolean;
  printed: string;
}

/** One shell for a guide, as a reader has one terminal: later steps know the variables and files of earlier ones. */
async function runAll(steps: Step[], env: Record<string, string>, cwd: string): Promise<Result[]> {
  await mkdir(path.join(cwd, '.results'));
  const blocks = steps.map(({ script }, index) => {
    const file = path.join(cwd, '.results', String(index));
    return `exec >'${file}.out' 2>'${file}.err'\n${script}\necho >'${file}.done'`;
  });
  const script = ['set -euo pipefail', ...blocks].join('\n');
  await execa('bash', ['-c', script], { env, extendEnv: false, cwd, reject: false, timeout: 100_000 });
  const read = (name: string) => readFile(path.join(cwd, '.results', name), 'utf8').catch(() => null);
  return Promise.all(
    steps.map(async (_, index) => ({
      done: (await read(`${index}.done`)) !== null,
      printed: `${(await read(`${index}.out`)) ?? ''}${(await read(`${index}.err`)) ?? ''}`,
    })),
  );
}
