import type pg from 'pg';
import { expect, it } from 'vitest';
import { Database } from './database.ts';
import { BulkGate } from './pools/bulk-gate.ts';
import type { Lanes } from './pools/pools.ts';

/** A database whose transactions end by a deadlock. */
function deadlocked() {
  const client = { query: async () => ({ rows: [] }), release: () => undefined } as unknown as pg.PoolClient;
  const lanes = { connect: async () => client } as unknown as Lanes;
  const db = new Database(lanes, { gate: new BulkGate(2), pooled: false });
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  };
  return { db, run, runs: () => runs };
}

it('a transaction that a deadlock ended is repeated', async () => {
  const { db, run, runs } = deadlocked();
  await expect(db.work({ tx: true }, run)).rejects.toThrow('deadlock');
  expect(runs()).toBe(5);
});

it('one that writes files too is not', async () => {
  const { db, run, runs } = deadlocked();
  await expect(db.work({ tx: true, once: true }, run)).rejects.toThrow('deadlock');
  expect(runs()).toBe(1);
});
