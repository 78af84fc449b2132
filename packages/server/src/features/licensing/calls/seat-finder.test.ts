import { randomUUID } from 'node:crypto';
import { openPlanDatabase } from '@tonerow/test-support/plan-rows.ts';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sqlOf } from '#platform/db/database.ts';
import type { Statement } from '#platform/db/sql.ts';
import { toAppError } from '#platform/http/answers/problem.ts';
import { seedLedger } from '../../../../../../scripts/bench/seeds/seed.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { findSeats, SeatFinder } from './seat-finder.ts';

const seeded = randomUUID();
const small = randomUUID();

// every plan for an empty table costs the same
let database: Awaited<ReturnType<typeof openPlanDatabase>>;
let client: pg.Client;
beforeAll(async () => {
  database = await openPlanDatabase();
  client = database.db;
  await client.query(
    `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
     select id, 'developer', id, id, '', 'A', 'B', now() from unnest($1::uuid[]) id`,
    [[seeded, small]],
  );
  await seedLedger(client, small, 50, 2, 1);
  await seedLedger(client, seeded, 5000, 1, 2);
});
afterAll(() => database.drop());

it('answers each call for its own developer, whoever shares the statement', async () => {
  const ask = (developerId: string, codeKey: string, machineId = 'machine-1') => ({ developerId, codeKey, machineId });
  const found = await findSeats(sqlOf(client), [
    ask(seeded, 'SEED00000001'),
    ask(small, 'SEED00000001'),
    // a code that only the other developer has
    ask(small, 'SEED00001000'),
    ask(randomUUID(), 'SEED00000001'),
    ask(small, 'SEED00000001', 'machine-2'),
  ]);
  expect(found.map((row) => row && [row.developer_id, row.activation_id !== null])).toEqual([
    [seeded, true],
    [small, true],
    undefined,
    undefined,
    [small, false],
  ]);
  // a statement of one developer alone
  expect(await findSeats(sqlOf(client), [ask(randomUUID(), 'SEED00000001')])).toEqual([undefined]);
  expect(await findSeats(sqlOf(client), [ask(small, 'SEED00000001'), ask(small, 'SEED00001000')])).toEqual([
    expect.objectContaining({ developer_id: small }),
    undefined,
  ]);
});

it('finds the licenses of others while the machine of one developer is away, who hears that in the right words', async () => {
  const lost = 'connection to the remote node tonerow@worker-2:5432 failed';
  const real = sqlOf(client);
  const send = vi.fn(async (statement: Statement) => {
    if (!statement.values.flat().includes(small)) return real.send?.(statement);
    throw Object.assign(new Error(lost), { code: '08006', severity: 'ERROR' });
  });
  const finder = new SeatFinder(tables.in({ query: real.query, send } as never) as unknown as LicensingDb);
  const ask = (developerId: string) => finder.find({ codeKey: 'SEED00000001', developerId, machineId: 'machine-1' });
  for (const statements of [3, 2]) {
    const [one, other] = await Promise.allSettled([ask(seeded), ask(small)]);
    expect(one).toMatchObject({ status: 'fulfilled', value: { developer_id: seeded } });
    expect(other).toMatchObject({ status: 'rejected', reason: { message: lost } });
    expect(toAppError((other as PromiseRejectedResult).reason).status).toBe(503);
    expect(send).toHaveBeenCalledTimes(statements);
    send.mockClear();
  }
});

/** The look-up of some calls as it is sent, each of another developer or all of one. */
async function lookUp(calls: number, developers: 'one' | 'each'): Promise<Statement & { name: string }> {
  const questions = Array.from({ length: calls }, () => ({
    codeKey: 'CODE',
    developerId: developers === 'one' ? seeded : randomUUID(),
    machineId: 'studio',
  }));
  const send = vi.fn().mockResolvedValue({ rows: [] });
  await findSeats({ query: () => Promise.reject(new Error('sent by its name')), send }, questions);
  return send.mock.lastCall?.[0];
}

async function run(statement: Promise<Statement & { name: string }>): Promise<string> {
  const { name, text, values } = await statement;
  await client.query({ name, text, values: [...values] });
  return name;
}

async function planOf(statement: Promise<Statement & { name: string }>): Promise<string> {
  const name = await run(statement);
  const { values } = await statement;
  const given = values.map((value) => (Array.isArray(value) ? "'{}'" : `'${value}'`));
  const { rows } = await client.query(`explain execute "${name}" (${given})`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

it('looks licenses up by plans that are made once, however many calls and developers share a statement', async () => {
  const shared = [1, 2, 3, 7, 20, 50, 100];
  // PostgreSQL makes five plans for the arguments before it compares
  for (let round = 1; round <= 8; round += 1) for (const calls of shared) await run(lookUp(calls, 'one'));
  for (let round = 1; round <= 8; round += 1) for (const calls of shared) await run(lookUp(calls, 'each'));
  // as int4, which is a number however this process reads counts
  const { rows } = await client.query(
    'select name, generic_plans::int, custom_plans::int from pg_prepared_statements order by name collate "C"',
  );
  const once = (width: number, runs: number) => ({
    name: `licensing.seats_of_${width}`,
    generic_plans: runs - 5,
    custom_plans: 5,
  });
  expect(rows).toEqual([once(1, 64), once(128, 8), once(2, 8), once(32, 8), once(4, 8), once(64, 8), once(8, 8)]);
});

it.each(['one', 'each'] as const)('finds a serial and its machine by their whole keys: %s', async (developers) => {
  await client.query('set enable_seqscan = off');
  await client.query('set plan_cache_mode = force_generic_plan');
  const plan = await planOf(lookUp(2, developers));
  expect(plan).toMatch(/serials_code_unique.*\n\s+Index Cond: \(\(code_key = .*developer_id = /);
  expect(plan).toMatch(/activations_machine_unique.*\n\s+Index Cond: .*serial_id = .*developer_id = .*machine_id = /);
});
