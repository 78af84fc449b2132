import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beside } from '@tonerow/test-support/beside.ts';
import { type Collecting, collectionScene, startCollection } from '@tonerow/test-support/collection.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { backup } from '../../packages/server/src/backup/backup.ts';
import { fileDraft } from '../../packages/server/src/backup/places.ts';
import { openBackup, restore } from '../../packages/server/src/backup/restore.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { TestClock } from '../../packages/server/src/platform/clock.ts';
import { createLogger } from '../../packages/server/src/platform/log.ts';
import { systemRandom } from '../../packages/server/src/platform/random.ts';
import { Secrets } from '../../packages/server/src/platform/secrets/secrets.ts';

// A month is closed and collected, with a backup at every step of it. Each backup is restored into a place of its own, once all of the
// month is at Stripe, and the month is closed and collected there again. Stripe's keys are forgotten by then.

const STEPS = [
  'GET /v1/invoices',
  'POST /v1/invoices',
  'POST /v1/invoices/:id/add_lines',
  'POST /v1/invoices/:id/finalize',
  'POST /v1/invoices/:id/pay',
];

const clock = new TestClock('2026-02-28T23:59:00Z');
const random = systemRandom(clock);
let at: Collecting;
let folder: string;
beforeAll(async () => {
  at = await startCollection(clock);
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-months-'));
});
afterAll(async () => {
  await at.stop();
  await rm(folder, { recursive: true, force: true });
});
const { addCard, collect } = collectionScene(() => at);

const configOf = (url: string, dataDir: string) => ({
  ...readConfig({ TONEROW_DATA_DIR: dataDir, DATABASE_URL: url, TONEROW_SECRET: TEST_SECRET, ...at.stripe.env }),
  databaseUrl: url,
  directUrl: url,
  secrets: [TEST_SECRET],
});
const backupAs = async (name: string) => {
  const target = path.join(folder, `${name.replaceAll(/\W+/g, '-')}.backup`);
  const config = configOf(at.server.db.url, path.join(folder, 'none'));
  await backup({ config, ownSecret: false, draft: await fileDraft(target), now: clock.now() });
  return { name, target };
};

/** A developer with a billed month. */
async function billed(plan: 'free' | 'pro', used = 0): Promise<Person> {
  const ada = await signUpVerified(at.server);
  if (plan === 'pro') await setPlan(at.server.db, { plan, accountId: ada.id });
  await at.server.db.query(
    "insert into usage_months (developer_id, month, redemptions, plan) values ($1, '2026-02-01', $2, $3)",
    [ada.id, used, plan],
  );
  return ada;
}

interface Numbered {
  developer: string;
  number: string;
  state: string;
}
const numbersIn = (db: Pick<TestDatabase, 'query'>) =>
  db.query<Numbered>(
    "select developer_id as developer, number, state from billing_statements where month = '2026-02-01' order by number",
  );
const invoicesAtStripe = () =>
  [...at.stripe.store.invoices.values()].map(({ id, status, total, metadata }) => ({
    id,
    status,
    total,
    developer: metadata.developer_id,
  }));

it('restored from a backup of any step of a close, nobody is charged twice and no number is given again to others', async () => {
  const [ada, bea, late] = [await billed('pro'), await billed('pro'), await billed('pro')];
  await billed('free', 3);
  await addCard(ada);
  await addCard(bea, 'pm_card_chargeCustomerFail');
  const backups = [await backupAs('before the close')];
  // the customer and the card are known to Stripe alone when this backup is restored
  await addCard(late);
  clock.set('2026-03-01T00:05:00Z');
  await at.worker.deps.closings.run({});
  backups.push(await backupAs('closed'));
  let held = at.stripe.hold(STEPS[0] as string);
  const running = collect();
  for (const [n, step] of STEPS.entries()) {
    await held.arrived;
    backups.push(await backupAs(step));
    const next = STEPS[n + 1];
    const before = held;
    if (next) held = at.stripe.hold(next);
    before.release();
  }
  await running;
  backups.push(await backupAs('one was declined'));
  clock.set('2026-03-02T12:00:00Z');
  await addCard(bea);
  await collect();
  const given = await numbersIn(at.server.db);
  expect(given.map(({ state }) => state).sort()).toEqual(['paid', 'paid', 'paid', 'settled']);
  const [invoices, charges] = [invoicesAtStripe(), at.stripe.store.charges.length];
  expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);

  clock.set('2026-03-04T09:00:00Z');
  at.stripe.forgetKeys();
  for (const { name, target } of backups) {
    clock.advance(60_000);
    const db = await createTestDatabase();
    const config = configOf(db.url, path.join(folder, name.replaceAll(/\W+/g, '-')));
    const log = createLogger('silent');
    const secrets = new Secrets([TEST_SECRET], random);
    await restore(await openBackup(target, createReadStream(target)), {
      config,
      secrets,
      log,
      now: clock.now(),
      id: random.id(),
    });
    const receipts = async () => (await db.query("select 1 from mails where subject like 'Receipt%'")).length;
    const told = await receipts();
    await beside({ server: { db }, clock, env: at.stripe.env }, async (deps) => {
      await deps.closings.run({});
      // nothing before an admin has looked
      const begun = at.stripe.seen.length;
      expect(await deps.collection.run(), name).toMatchObject({ paid: 0, failed: 0, onHold: clock.now() });
      expect(at.stripe.seen.slice(begun), name).toEqual([]);
      expect(await deps.warnings.all(), name).toEqual(['collection_on_hold']);
      await expect(deps.collectionHold.release(), name).rejects.toThrow('Reconcile first');
      await deps.reconciliation.run();
      await deps.collectionHold.release();
      expect(await deps.warnings.all(), name).toEqual([]);
      // the lease of a killed process is over
      clock.advance(16 * 60_000);
      await deps.collection.run();
      expect((await deps.reconciliation.run()).differences, name).toEqual([]);
    });
    const now = await numbersIn(db);
    expect(now.map(({ state }) => state).sort(), name).toEqual(['paid', 'paid', 'paid', 'settled']);
    expect(invoicesAtStripe(), name).toEqual(invoices);
    expect(at.stripe.store.charges.length, name).toBe(charges);
    // a new statement has a number that nobody was ever given
    const kept = new Set(name === 'before the close' ? [] : given.map(({ number }) => number));
    for (const { number } of now)
      expect(kept.has(number) || !given.some((each) => each.number === number), name).toBe(true);
    for (const { developer, number } of now.filter((each) => kept.has(each.number)))
      expect(given, name).toContainEqual(expect.objectContaining({ developer, number }));
    // nobody is told of the same charge again
    expect(await receipts(), name).toBe(told);
    await db.drop();
  }
}, 180_000);
