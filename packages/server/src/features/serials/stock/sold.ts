import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import type { Cents } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import { CodeMaker } from '../generate/codes.ts';
import { B, OPEN, sellable } from '../rules/rows.ts';
import { tables } from '../tables.ts';

// Sales of a developer's own shop. A sold serial is not given again: it counts as handed out, by the order's unit.

/** A sale of a shop: the unit of an order, and the price paid for it; null: the price of the batch or the product. */
export interface SoldUnit {
  id: string;
  paidCents: Cents | null;
}

export interface SoldSerial {
  id: string;
  code: string;
  unitId: string;
  expiresAt: Date | null;
}

/** The batch that such serials go into. Its id follows from what it is, so that all sales of a day find it. */
export interface SoldBatch {
  id: string;
  developerId: string;
  productId: string;
  batchTag: string | null;
  prefix: string | null;
  expiresAt: Date | null;
  notes: string | null;
}

/** The sales from one batch. */
export interface Sale {
  batch: SoldBatch;
  units: readonly SoldUnit[];
}

/** Serials that were added to a batch that was there. */
export interface SoldCount {
  batchId: string;
  quantity: number;
}

/**
 * Makes a serial for each unit, with the unit's id: made twice, it collides. In the caller's transaction.
 * @returns also what {@link countSold} has to be told when everything else is done.
 */
export async function issueSold(
  handle: Sql,
  random: Random,
  sales: readonly Sale[],
  now: Date,
): Promise<{ serials: SoldSerial[]; counts: SoldCount[] }> {
  const wanted = sales.filter(({ units }) => units.length > 0);
  if (wanted.length === 0) return { serials: [], counts: [] };
  const tx = tables.in(handle);
  const quantities = new Map<string, { batch: SoldBatch; quantity: number }>();
  for (const { batch, units } of wanted) {
    const before = quantities.get(batch.id)?.quantity ?? 0;
    quantities.set(batch.id, { batch, quantity: before + units.length });
  }
  // in one order, so that two orders that are the first of their day never wait for each other
  const batches = [...quantities.values()].sort((a, b) => (a.batch.id < b.batch.id ? -1 : 1));
  const added = await tx
    .insertInto('batches')
    .values(
      batches.map(({ batch, quantity }) => ({
        id: batch.id,
        developer_id: batch.developerId,
        product_id: batch.productId,
        partnership_id: null,
        origin: 'generate' as const,
        quantity,
        prefix: batch.prefix,
        expires_at: batch.expiresAt,
        batch_tag: batch.batchTag,
        notes: batch.notes,
        created_at: now,
      })),
    )
    .onConflict((on) => on.columns(['id', 'developer_id']).doNothing())
    .returning('id')
    .execute();
  const isNew = new Set(added.map(({ id }) => id));
  const makers = new Map<string | null, CodeMaker>();
  const made = wanted.flatMap(({ batch, units }) => {
    const codes = makers.get(batch.prefix) ?? new CodeMaker(random, batch.prefix);
    makers.set(batch.prefix, codes);
    return units.map((unit) => ({ ...unit, batch, code: codes.next() }));
  });
  await tx
    .insertInto('serials')
    .values(
      made.map(({ id, code, paidCents, batch }) => ({
        id,
        developer_id: batch.developerId,
        batch_id: batch.id,
        code,
        code_key: code.replaceAll('-', ''),
        handed_out_at: now,
        draw_id: id,
        paid_cents: paidCents,
      })),
    )
    .execute();
  return {
    serials: made.map(({ id, code, batch }) => ({ id, code, unitId: id, expiresAt: batch.expiresAt })),
    counts: batches
      .filter(({ batch }) => !isNew.has(batch.id))
      .map(({ batch, quantity }) => ({ batchId: batch.id, quantity })),
  };
}

/** Counts what was added to batches: the last thing that a transaction does, because others wait for these rows until it ends. */
export async function countSold(handle: Sql, developerId: string, counts: readonly SoldCount[]): Promise<void> {
  if (counts.length === 0) return;
  const tx = tables.in(handle);
  const ids = counts.map(({ batchId }) => batchId);
  // in one order, so that two transactions never wait for each other
  if (counts.length > 1)
    await tx
      .selectFrom('batches')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
  await sql`
    update batches b set quantity = b.quantity + t.quantity
    from unnest(${ids}::uuid[], ${counts.map(({ quantity }) => quantity)}::int[]) as t (id, quantity)
    where b.developer_id = ${developerId} and b.id = t.id`.execute(tx);
}

/** The pool of existing serials that sales take from: those of no reseller. */
export interface SoldPool {
  developerId: string;
  productId: string;
  /** Null: of any batch. */
  batchTag: string | null;
}

/**
 * Takes a serial from stock for each unit, as far as there are any: first those that have to be redeemed by the earliest date. What
 * somebody else takes at this moment is passed over. In the caller's transaction.
 */
export async function takeSold(
  handle: Sql,
  { developerId, productId, batchTag }: SoldPool,
  units: readonly SoldUnit[],
  now: Date,
): Promise<SoldSerial[]> {
  const tx = tables.in(handle);
  const { rows } = await sql<Columns<'serials', 'id' | 'code'> & Columns<'batches', 'expires_at'>>`
    select s.id, s.code, b.expires_at
    from (
      select b.id, b.expires_at from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where b.developer_id = ${developerId} and b.product_id = ${productId} and b.partnership_id is null
        and (${batchTag}::text is null or b.batch_tag = ${batchTag}) and ${sellable(now)}
      order by b.expires_at nulls last, b.id offset 0) b
      cross join lateral (
        select s.id, s.code from serials s
        where s.developer_id = ${developerId} and s.batch_id = ${B.id} and ${OPEN}
        order by s.id limit ${units.length} for no key update skip locked) s
    limit ${units.length}`.execute(tx);
  const taken = rows.map(({ id, code, expires_at }, at) => {
    const unit = units[at] as SoldUnit;
    return { id, code, unitId: unit.id, paidCents: unit.paidCents, expiresAt: expires_at };
  });
  if (taken.length === 0) return [];
  await sql`
    update serials s set handed_out_at = ${now}, draw_id = t.unit_id, paid_cents = t.paid_cents
    from unnest(${taken.map(({ id }) => id)}::uuid[], ${taken.map(({ unitId }) => unitId)}::uuid[],
      ${taken.map(({ paidCents }) => paidCents)}::int[]) as t (id, unit_id, paid_cents)
    where s.developer_id = ${developerId} and s.id = t.id`.execute(tx);
  return taken.map(({ id, code, unitId, expiresAt }) => ({ id, code, unitId, expiresAt }));
}

/** Sold serials with their state; until the transaction ends nobody redeems them or revokes them. */
export function holdSold(handle: Sql, developerId: string, ids: readonly string[]) {
  return tables
    .in(handle)
    .selectFrom('serials')
    .select(['id', 'redeemed_at', 'revoked_at'])
    .where('developer_id', '=', developerId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Sets the final price paid for serials that nobody has redeemed yet. */
export async function repriceSold(
  handle: Sql,
  developerId: string,
  prices: readonly { id: string; paidCents: Cents | null }[],
): Promise<void> {
  if (prices.length === 0) return;
  await sql`
    update serials s set paid_cents = t.paid_cents
    from unnest(${prices.map(({ id }) => id)}::uuid[], ${prices.map(({ paidCents }) => paidCents)}::int[]) as t (id, paid_cents)
    where s.developer_id = ${developerId} and s.id = t.id and s.redeemed_at is null`.execute(tables.in(handle));
}

/** Whether one of a product can be sold now: a new one of a product that is published, or one that is in stock. */
export async function canSell(
  handle: Sql,
  {
    developerId,
    productId,
    pool,
    now,
  }: { developerId: string; productId: string; pool: { batchTag: string | null } | null; now: Date },
): Promise<boolean> {
  const tx = tables.in(handle);
  if (pool === null) {
    const product = await tx
      .selectFrom('products')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('id', '=', productId)
      .where('deleted_at', 'is', null)
      .where('is_draft', 'is', false)
      .executeTakeFirst();
    return product !== undefined;
  }
  const { rows } = await sql`
    select 1 from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      cross join lateral (
        select 1 from serials s where s.developer_id = ${developerId} and s.batch_id = ${B.id} and ${OPEN} order by s.id limit 1) s
    where b.developer_id = ${developerId} and b.product_id = ${productId} and b.partnership_id is null
      and (${pool.batchTag}::text is null or b.batch_tag = ${pool.batchTag}) and ${sellable(now)} limit 1`.execute(tx);
  return rows.length > 0;
}
