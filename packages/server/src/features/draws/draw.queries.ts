import { sql } from 'kysely';
import { developersOf } from '#features/partnerships';
import { PRICE, SEEN_BY_RESELLERS } from '#features/products';
import { type HandedOut, handOut as handOutSerials, takeBack as takeBackSerials } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin, ownMatch } from '#platform/db/tenant.ts';
import type { Cents } from '#platform/money.ts';
import { tables } from './tables.ts';

/** The pool that a reseller's draw of a product comes from. */
export interface Pool extends Columns<'partnerships', 'developer_id' | 'low_stock_threshold'> {
  partnership_id: string;
  status: 'active' | 'paused';
  product_name: string;
}

const POOL = tables.named(
  'pool',
  (_, resellerId: string, developers: readonly string[], productId: string) => sql<Pool>`
    select t.developer_id, t.id as partnership_id, t.status, p.name as product_name, t.low_stock_threshold
    from partnerships t join products p on p.developer_id = t.developer_id join users u on u.id = t.developer_id
    where t.reseller_id = ${resellerId} and t.developer_id = any(${developers}::uuid[]) and p.developer_id = any(${developers}::uuid[])
      and p.id = ${productId} and t.status in ('active', 'paused')
      and ${SEEN_BY_RESELLERS} and u.deleted_at is null`,
);

/** Undefined when the reseller has nothing to do with the product. */
export async function findPool(handle: Sql, resellerId: string, productId: string): Promise<Pool | undefined> {
  return (await POOL(handle, resellerId, await developersOf(handle, resellerId), productId))[0];
}

/** Draws of one reseller from one pool. */
export interface DrawOrder {
  id: string;
  resellerId: string;
  pool: Pool;
  productId: string;
  batchTag: string | null;
  quantity: number;
  reference: string;
  /** Only codes that are sold for so much. */
  priceCents?: Cents | undefined;
}

/** The draws that one statement hands out serials for. */
interface Claim {
  developerId: string;
  partnershipId: string;
  productId: string;
  batchTag: string | null;
  now: Date;
  /** How many serials all draws want together. */
  quantity: number;
  ids: readonly string[];
  quantities: readonly number[];
  resellerId: string;
  references: readonly string[];
}

function claimOf(orders: readonly DrawOrder[], now: Date): Claim {
  const [{ pool, productId, batchTag, resellerId }] = orders as [DrawOrder];
  return {
    developerId: pool.developer_id,
    partnershipId: pool.partnership_id,
    productId,
    batchTag,
    now,
    quantity: orders.reduce((sum, { quantity }) => sum + quantity, 0),
    ids: orders.map(({ id }) => id),
    quantities: orders.map(({ quantity }) => quantity),
    resellerId,
    references: orders.map(({ reference }) => reference),
  };
}

// in the order of their references, so that two processes with the same ones don't deadlock
const parts = (of: Claim) => ({
  claim: sql`insert into draws (id, reseller_id, reference, developer_id, partnership_id, product_id, batch_tag, quantity, created_at)
    select o.id, ${of.resellerId}::uuid, o.reference, ${of.developerId}::uuid, ${of.partnershipId}::uuid, ${of.productId}::uuid,
      ${of.batchTag}::text, o.quantity, ${of.now}::timestamptz
    from seen cross join unnest(${of.ids}::uuid[], ${of.quantities}::int[], ${of.references}::text[]) o (id, quantity, reference)
    where seen.enough order by o.reference
    on conflict (reseller_id, reference) do nothing returning id, quantity`,
  note: sql`insert into draw_items (developer_id, draw_id, serial_id, code, expires_at)
    select own.developer_id, taken.draw_id, taken.id, taken.code, taken.expires_at
    from taken join products own on own.developer_id = ${of.developerId} and own.id = ${of.productId}`,
});

/** See the serials’ `handOut`. All orders are of one reseller, from one pool, and an order with a price is alone. */
export async function handOut(
  handle: Sql,
  orders: readonly DrawOrder[],
  now: Date,
  locked: 'skip' | 'wait',
): Promise<HandedOut[]> {
  const claim = claimOf(orders, now);
  const price = orders[0]?.priceCents;
  const only = price === undefined ? undefined : sql<boolean>`${PRICE} = ${price}`;
  const { rows } = await handOutSerials(claim, { ...parts(claim), only, locked }).execute(tables.in(handle));
  return rows;
}

/** The serial that was handed out last, by batch. */
export type Places = ReadonlyMap<string, string>;

const ALONE = tables.named(
  'hand_out',
  (
    _,
    developerId: string,
    partnershipId: string,
    productId: string,
    batchTag: string | null,
    now: Date,
    quantity: number,
    ids: readonly string[],
    quantities: readonly number[],
    resellerId: string,
    references: readonly string[],
    batches: readonly string[],
    serials: readonly string[],
  ) => {
    const claim = {
      developerId,
      partnershipId,
      productId,
      batchTag,
      now,
      quantity,
      ids,
      quantities,
      resellerId,
      references,
    };
    return handOutSerials(claim, { ...parts(claim), locked: 'skip', alone: { from: [batches, serials] } });
  },
);

/**
 * The same in one statement, for all that most draws need. With `wanted` 0 nothing was handed out: too little is `open`, a
 * threshold may be crossed, or the references are taken.
 * @param places what the batches are read from.
 */
export async function handOutAlone(
  handle: Sql,
  orders: readonly DrawOrder[],
  now: Date,
  places: Places,
): Promise<HandedOut[]> {
  const of = claimOf(orders, now);
  return ALONE(
    handle,
    of.developerId,
    of.partnershipId,
    of.productId,
    of.batchTag,
    of.now,
    of.quantity,
    of.ids,
    of.quantities,
    of.resellerId,
    of.references,
    [...places.keys()],
    [...places.values()],
  );
}

const FIND = tables.named('find', (begin, resellerId: string, reference: string) =>
  begin
    .selectFrom('draws')
    .select(['id', 'reference', 'developer_id', 'product_id', 'batch_tag', 'quantity', 'created_at'])
    .where('reseller_id', '=', resellerId)
    .where('reference', '=', reference),
);

export type DrawRow = Awaited<ReturnType<typeof FIND>>[number];

export async function findDraw(handle: Sql, resellerId: string, reference: string): Promise<DrawRow | undefined> {
  return (await FIND(handle, resellerId, reference))[0];
}

/** The key of a draw: its developer and its id. */
type DrawKey = Pick<DrawRow, 'developer_id' | 'id'>;

/** The codes of a draw, as it handed them out. */
export function codesOf(handle: Sql, { developer_id, id }: DrawKey) {
  return tables
    .in(handle)
    .selectFrom('draw_items')
    .select(['serial_id', 'code', 'expires_at', 'returned_at'])
    .where('developer_id', '=', developer_id)
    .where('draw_id', '=', id)
    .orderBy('serial_id')
    .execute();
}

/** @returns the ids of the serials that are back in stock now. */
export async function takeBack(
  handle: Sql,
  { developer_id, id }: DrawKey,
  serialIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const note = sql`update draw_items i set returned_at = ${now} from back
    where ${ownMatch('i.serial_id', 'back.id')} and i.developer_id = ${developer_id} and i.draw_id = ${id}`;
  const back = takeBackSerials({ developerId: developer_id, drawId: id, serialIds }, note);
  const { rows } = await back.execute(tables.in(handle));
  return rows.map((row) => row.id);
}

/** The partnership behind a draw, while the partners still work together, if only with a pause. */
export async function findPartnership(handle: Sql, drawId: string, developerId: string): Promise<string | undefined> {
  const { rows } = await sql<Columns<'partnerships', 'id'>>`
    select t.id from draws d ${ownJoin('partnerships as t', 't.reseller_id', 'd.reseller_id')}
    where d.id = ${drawId} and t.developer_id = ${developerId} and t.status in ('active', 'paused')`.execute(
    tables.in(handle),
  );
  return rows[0]?.id;
}
