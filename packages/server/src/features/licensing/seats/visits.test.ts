import { expect, it, vi } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import type { Statement } from '#platform/db/sql.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { Visits } from './visits.ts';

const one = '00000000-0000-4000-8000-000000000001';
const other = '00000000-0000-4000-8000-000000000002';

it('writes many visits a few at a time, each developer’s by themselves, and all of them before it closes', async () => {
  const send = vi.fn(async ({ values }: Statement) => ({ rows: [], values }));
  const db = tables.in({ query: () => Promise.reject(new Error('sent by its name')), send } as never);
  const clock = new TestClock('2026-03-10T12:00:00Z');
  const visits = new Visits({ db: db as unknown as LicensingDb, clock, log: { warn: expect.fail } as never });
  const visit = (developer_id: string, activation_id: string) => visits.note({ developer_id, activation_id }, '1.0');
  for (let n = 0; n < 450; n += 1) visit(one, `machine-${n}`);
  for (let n = 0; n < 3; n += 1) visit(other, `machine-${450 + n}`);
  await visits.close();
  const sent = send.mock.calls.map(([{ values }]) => [
    values.find((value) => value === one || value === other),
    values.find((value) => Array.isArray(value))?.length,
  ]);
  expect(sent).toEqual([
    [one, 200],
    [one, 200],
    [one, 50],
    [other, 3],
  ]);
});

it('knows the newest token of a machine while it is written, also after a visit without a token', async () => {
  const written = Promise.withResolvers<{ rows: [] }>();
  const db = tables.in({
    query: () => Promise.reject(new Error('sent by its name')),
    send: () => written.promise,
  } as never);
  const clock = new TestClock('2026-03-10T12:00:00Z');
  const visits = new Visits({ db: db as unknown as LicensingDb, clock, log: { warn: expect.fail } as never });
  const machine = { developer_id: one, activation_id: 'machine', token_hash: null };
  visits.note(machine, '1.0', 'a token');
  const closed = visits.close();
  visits.note(machine, '1.0');
  expect(visits.newestTokens(machine)).toEqual([sha256('a token')]);
  written.resolve({ rows: [] });
  await closed;
});
