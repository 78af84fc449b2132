import { text } from 'node:stream/consumers';
import { payoutScene } from '@tonerow/test-support/payouts.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { AppError } from '#platform/errors.ts';
import type { Deps } from '../../../deps.ts';
import { Statements } from '../statements/statements.service.ts';
import { tables } from '../tables.ts';
import { Papers } from './papers.service.ts';

let server: TestServer;
const clock = new TestClock('2026-01-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const { partners, sell, close, payoutsOf, beside } = payoutScene(() => ({ server, clock }));

/** Large work of an account that fills its share of the bulk gate and its part of the line. */
async function fillGate({ db }: Pick<Deps, 'db'>, account: string) {
  // both places are free when two can run at once
  let running = 0;
  const both = Promise.withResolvers<void>();
  const run = async () => {
    running += 1;
    if (running === 2) both.resolve();
    await both.promise;
  };
  const bulk = (work: () => Promise<void>) => db.work({ lane: 'bulk', account }, work);
  await Promise.all([bulk(run), bulk(run)]);
  const held = Promise.withResolvers<void>();
  const works = Array.from({ length: 10 }, () => bulk(() => held.promise));
  return {
    async free() {
      held.resolve();
      await Promise.all(works);
    },
  };
}

it('an archive whose account is busy is refused before its first byte, and is whole once it has begun', async () => {
  clock.set('2026-01-10T12:00:00Z');
  const { ada, rae, product } = await partners({ rate: 20, price: 10 });
  for (const month of ['02', '03']) {
    await sell(ada, product, 1);
    clock.set(`2026-${month}-10T12:00:00Z`);
  }
  await close();
  const numbers = (await payoutsOf(rae)).map(({ number }) => number);
  expect(numbers).toHaveLength(2);
  await beside(async (base) => {
    const deps = { ...base, db: tables.of(base.db) };
    const papers = new Papers({ ...deps, statements: new Statements({ ...deps, seals: deps.payoutSeals }) });
    const reader = { side: 'developer', accountId: ada.id } as const;
    const archive = (signal = new AbortController().signal) =>
      papers.archive(reader, { year: 2026, partnershipId: undefined }, signal);

    let full = await fillGate(base, ada.id);
    await expect(archive()).rejects.toMatchObject({ code: 'busy' });
    await full.free();

    // the second statement's file is refused three times, and gets its turn then
    let tries = 0;
    const exports = {
      open: async (...order: Parameters<typeof deps.exports.open>) => {
        tries += 1;
        if (tries > 1 && tries < 5) throw new AppError('busy');
        return deps.exports.open(...order);
      },
    } as typeof deps.exports;
    const patient = new Papers({ ...deps, exports, statements: new Statements({ ...deps, seals: deps.payoutSeals }) });
    const year = { year: 2026, partnershipId: undefined };
    const { body } = await patient.archive(reader, year, new AbortController().signal);
    const zip = await text(body.setEncoding('latin1'));
    expect(tries).toBe(5);
    for (const number of numbers)
      for (const ending of ['csv', 'pdf']) expect(zip.split(`statement-${number}.${ending}`)).toHaveLength(3);

    // a reader who leaves while a file waits takes nothing with them
    const leaving = new AbortController();
    const left = await archive(leaving.signal);
    full = await fillGate(base, ada.id);
    const cut = text(left.body);
    leaving.abort();
    await expect(cut).rejects.toThrow('aborted');
    await full.free();
  });
});
