import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { stockedSerial } from '@tonerow/test-support/serial-state.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tables } from '../tables.ts';
import {
  isAvailable,
  isForSale,
  isInStock,
  isRedeemable,
  mayBeHandedOut,
  mayBeRedeemed,
  obstacleOf,
  type StockState,
} from './availability-rules.ts';
import { B, OPEN, P, U, UNUSED } from './rows.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it.each<[string, Partial<StockState>, { available: boolean; redeemable: boolean }]>([
  ['open', {}, { available: true, redeemable: true }],
  ['redeemed', { redeemed_at: before }, { available: false, redeemable: false }],
  ['revoked', { revoked_at: before }, { available: false, redeemable: false }],
  ['handed out', { handed_out_at: before }, { available: false, redeemable: true }],
  ['of a draft', { is_draft: true }, { available: true, redeemable: false }],
  ['of a window that is yet to begin', { promo_start: after }, { available: true, redeemable: false }],
  ['of a window that begins now', { promo_start: now }, { available: true, redeemable: true }],
  ['of a window that ends now', { expires_at: now }, { available: false, redeemable: false }],
  ['of a window that ends soon', { expires_at: after }, { available: true, redeemable: true }],
  ['of a deleted product', { product_deleted: true }, { available: false, redeemable: false }],
])('a serial that is %s', (_what, state, expected) => {
  const serial = { ...stockedSerial, ...state };
  expect({ available: isAvailable(serial, now), redeemable: mayBeRedeemed(serial, now) }).toEqual(expected);
});

it('names the first obstacle, and none for what a customer has redeemed but revocation', () => {
  const all = { promo_start: after, expires_at: before, is_draft: true, developer_deleted: true };
  expect(obstacleOf({ ...stockedSerial, ...all }, now)).toBe('developer_deleted');
  expect(obstacleOf({ ...stockedSerial, ...all, developer_deleted: false }, now)).toBe('draft');
  expect(obstacleOf({ ...stockedSerial, expires_at: before, promo_start: after }, now)).toBe('not_yet_valid');
  expect(obstacleOf({ ...stockedSerial, ...all, redeemed_at: before }, now)).toBeNull();
  expect(obstacleOf({ ...stockedSerial, ...all, redeemed_at: before, product_deleted: true }, now)).toBe(
    'product_deleted',
  );
  expect(obstacleOf({ ...stockedSerial, ...all, redeemed_at: before, revoked_at: before }, now)).toBe('revoked');
});

describe('in SQL', () => {
  const moments = [null, before, now, after];
  const flags = [false, true];
  const axes: Record<keyof (StockState & { promo_expires: Date | null }), readonly unknown[]> = {
    promo_start: moments,
    promo_expires: moments,
    expires_at: moments,
    revoked_at: [null, before],
    redeemed_at: [null, before],
    handed_out_at: [null, before],
    is_draft: flags,
    product_deleted: flags,
    developer_deleted: flags,
  };
  let states = [{}] as (StockState & { promo_expires: Date | null })[];
  for (const [name, values] of Object.entries(axes))
    states = states.flatMap((state) => values.map((value) => ({ ...state, [name]: value })));

  const rows = { batch: B, product: P, developer: U };
  const at = sql.raw<Date>('$2');

  it.each([
    ['available', sql`${OPEN} and ${isInStock(rows, at)}`, isAvailable],
    ['to be redeemed', sql`${UNUSED} and ${isRedeemable(rows, at)}`, mayBeRedeemed],
    ['to be handed out', sql`${OPEN} and ${isForSale(rows, at)}`, mayBeHandedOut],
  ])('the same serials are %s as by the rule, whatever their state', async (_what, condition, rule) => {
    const judged = await db.query<{ yes: boolean }>(
      `select ${tables.text(condition)} as yes
       from jsonb_to_recordset($1) as r (n int, promo_start timestamptz, promo_expires timestamptz, expires_at timestamptz,
         revoked_at timestamptz, redeemed_at timestamptz, handed_out_at timestamptz, is_draft boolean, product_deleted boolean, developer_deleted boolean)
         cross join lateral (select r.redeemed_at, r.revoked_at, r.handed_out_at) s
         cross join lateral (select r.promo_start, r.promo_expires, r.expires_at) b
         cross join lateral (select r.is_draft, case when r.product_deleted then $2::timestamptz end as deleted_at) p
         cross join lateral (select case when r.developer_deleted then $2::timestamptz end as deleted_at) u
       order by n`,
      [JSON.stringify(states.map((state, n) => ({ n, ...state }))), now],
    );
    expect(states).toHaveLength(4096);
    expect(judged.map(({ yes }) => yes)).toEqual(states.map((state) => rule(state, now)));
  });
});
