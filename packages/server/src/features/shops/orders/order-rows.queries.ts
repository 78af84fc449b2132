import { type Selectable, sql } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import { json } from '#platform/db/work.ts';
import { emailKey, parseEmail } from '#platform/text/email-address.ts';
import type { ShopConnection } from '../connections/connections.entity.ts';
import type { ReversalSnapshot } from '../connectors/port.ts';
import type { ShopsHandle } from '../tables.ts';
import type { KnownLine, KnownOrder } from './merge.ts';
import type { OrderState, Reason, ReversalState } from './states.ts';

export type OrderRow = Selectable<Tables['shop_orders']>;
export type LineRow = Selectable<Tables['shop_lines']>;
export type UnitRow = Selectable<Tables['shop_units']>;
export type ReversalRow = Selectable<Tables['shop_reversals']>;

/** An order, made if it is not there; until the transaction ends nobody else works on it. */
export async function holdOrder(
  tx: ShopsHandle,
  order: { id: string; accountId: string; shopId: string; externalId: string; now: Date },
): Promise<OrderRow> {
  const { accountId, shopId, externalId, now } = order;
  await tx
    .insertInto('shop_orders')
    .values({
      id: order.id,
      developer_id: accountId,
      connection_id: shopId,
      external_id: externalId,
      number: externalId,
      state: 'seen',
      reasons: [],
      settled: [],
      received_at: now,
      updated_at: now,
    })
    .onConflict((on) => on.columns(['connection_id', 'developer_id', 'external_id']).doNothing())
    .execute();
  const row = await findHeld(tx, accountId, shopId, externalId);
  if (!row) throw new Error('an order that is not there');
  return row;
}

export function findHeld(
  tx: ShopsHandle,
  accountId: string,
  shopId: string,
  externalId: string,
): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('shop_orders')
    .selectAll()
    .where('developer_id', '=', accountId)
    .where('connection_id', '=', shopId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export const findLines = (
  tx: ShopsHandle,
  { developer_id, id }: Pick<OrderRow, 'developer_id' | 'id'>,
): Promise<LineRow[]> =>
  tx
    .selectFrom('shop_lines')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('order_id', '=', id)
    .orderBy('position')
    .orderBy('external_id')
    .execute();

export const findUnits = (
  tx: ShopsHandle,
  { developer_id, id }: Pick<OrderRow, 'developer_id' | 'id'>,
): Promise<UnitRow[]> =>
  tx
    .selectFrom('shop_units')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('order_id', '=', id)
    .orderBy('line_id')
    .orderBy('n')
    .execute();

/** A unit whose code nobody has written to its customer, as far as is known here. */
export const isUnwritten = ({ code, state, mail_id }: UnitRow): boolean =>
  code !== null && state === 'issued' && mail_id === null;

export async function hasUnwritten(tx: ShopsHandle, order: Pick<OrderRow, 'developer_id' | 'id'>): Promise<boolean> {
  return (await findUnits(tx, order)).some(isUnwritten);
}

export const findReversals = (
  tx: ShopsHandle,
  { developer_id, id }: Pick<OrderRow, 'developer_id' | 'id'>,
): Promise<ReversalRow[]> =>
  tx
    .selectFrom('shop_reversals')
    .selectAll()
    .where('developer_id', '=', developer_id)
    .where('order_id', '=', id)
    .orderBy('key')
    .execute();

export function knownOf(row: OrderRow, lines: readonly LineRow[]): KnownOrder {
  return {
    number: row.number,
    isTest: row.is_test,
    paidAt: row.paid_at,
    canceledAt: row.canceled_at,
    versionAt: row.version_at,
    emailAsSold: row.email_as_sold,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    language: row.language,
    country: row.country,
    currency: row.currency,
    knownAs: row.known_as,
    lines: lines.map((line) => ({
      externalId: line.external_id,
      position: line.position,
      keys: line.keys,
      sku: line.sku,
      name: line.name,
      quantity: line.quantity,
      paidQuantity: line.paid_quantity,
      netMinor: line.net_minor,
      grossMinor: line.gross_minor,
      moneyAt: line.money_at,
      currency: line.currency,
      usdCents: line.usd_cents,
      rate: line.rate,
      rateSource: line.rate_source,
      isRenewal: line.is_renewal,
      productIds: line.product_ids,
    })),
  };
}

/** The columns of a known order. */
export function fieldsOf(
  { email: address, lines, ...known }: KnownOrder,
  { shop, isErased }: { shop: Pick<ShopConnection, 'mode'>; isErased: boolean },
) {
  const email = isErased || address === null ? null : parseEmail(address);
  const sum = (of: (line: KnownLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  return {
    number: known.number,
    is_test: known.isTest || shop.mode === 'test',
    paid_at: known.paidAt,
    canceled_at: known.canceledAt,
    version_at: known.versionAt,
    email_as_sold: isErased ? null : known.emailAsSold,
    email,
    email_key: email === null ? null : emailKey(email),
    first_name: isErased ? null : known.firstName,
    last_name: isErased ? null : known.lastName,
    language: known.language,
    country: known.country,
    currency: known.currency,
    known_as: [...known.knownAs],
    net_minor: sum(({ netMinor }) => netMinor),
    usd_cents: lines.some(({ usdCents }) => usdCents === null) ? null : sum(({ usdCents }) => usdCents ?? 0),
  } satisfies Partial<OrderRow>;
}

/** The columns of a known line. */
export const lineFieldsOf = (line: KnownLine) =>
  ({
    external_id: line.externalId,
    position: line.position,
    keys: [...line.keys],
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    paid_quantity: line.paidQuantity,
    net_minor: line.netMinor,
    gross_minor: line.grossMinor,
    money_at: line.moneyAt,
    currency: line.currency,
    usd_cents: line.usdCents,
    rate: line.rate,
    rate_source: line.rateSource,
    is_renewal: line.isRenewal,
  }) satisfies Partial<LineRow>;

/**
 * Adds orders that are new, whole as they are.
 * @returns the shop's ids of those that were not there.
 */
export async function addOrders(tx: ShopsHandle, orders: readonly OrderRow[]): Promise<ReadonlySet<string>> {
  // in one order, so that two transactions never wait for each other
  const sorted = [...orders].sort((a, b) => (a.external_id < b.external_id ? -1 : 1));
  const added = await tx
    .insertInto('shop_orders')
    .values(sorted)
    .onConflict((on) => on.columns(['connection_id', 'developer_id', 'external_id']).doNothing())
    .returning('external_id')
    .execute();
  return new Set(added.map(({ external_id }) => external_id));
}

/** Adds lines of orders that were added. */
export async function addLines(tx: ShopsHandle, lines: readonly LineRow[]): Promise<void> {
  const AT_ONCE = 1000;
  for (let at = 0; at < lines.length; at += AT_ONCE)
    await tx
      .insertInto('shop_lines')
      .values(lines.slice(at, at + AT_ONCE))
      .execute();
}

/** Writes the lines of an order as they are known now. */
export async function writeLines(
  tx: ShopsHandle,
  { developer_id, id: orderId }: OrderRow,
  lines: readonly KnownLine[],
  idOf: () => string,
): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({ id: idOf(), developer_id, order_id: orderId, ...lineFieldsOf(line) }));
  const newest = (column: string) => sql<never>`excluded.${sql.ref(column)}`;
  await tx
    .insertInto('shop_lines')
    .values(rows)
    .onConflict((on) =>
      on.columns(['order_id', 'developer_id', 'external_id']).doUpdateSet({
        position: newest('position'),
        keys: newest('keys'),
        sku: newest('sku'),
        name: newest('name'),
        quantity: newest('quantity'),
        paid_quantity: newest('paid_quantity'),
        net_minor: newest('net_minor'),
        gross_minor: newest('gross_minor'),
        money_at: newest('money_at'),
        currency: newest('currency'),
        usd_cents: newest('usd_cents'),
        rate: newest('rate'),
        rate_source: newest('rate_source'),
        is_renewal: newest('is_renewal'),
      }),
    )
    .execute();
}

/** A refund of which nothing but an amount was known, before the shop's API was opened, and now is what it is of. */
const KNOWN_BETTER = sql<boolean>`(shop_reversals.kind = 'refund' and shop_reversals.lines is null
  and not shop_reversals.is_whole and not shop_reversals.is_net and (excluded.lines is not null or excluded.is_net))`;

const better = (column: 'lines' | 'amount' | 'is_net') =>
  sql<never>`case when ${KNOWN_BETTER} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`shop_reversals.${column}`)} end`;

/** Adds what was taken back, once for each. What the shop's list had and the shop reports after all is not missed. */
export async function addReversals(
  tx: ShopsHandle,
  { developer_id, id: orderId }: OrderRow,
  reversals: readonly ReversalSnapshot[],
  { idOf, now, isFound }: { idOf: () => string; now: Date; isFound: boolean },
): Promise<void> {
  if (reversals.length === 0) return;
  // a reversal that was reported twice is one row, which a statement must not name twice
  const once = [...Map.groupBy(reversals, ({ key }) => key).values()].map(([first]) => first as ReversalSnapshot);
  await tx
    .insertInto('shop_reversals')
    .values(
      once.map(({ key, kind, isWhole, lines, amount, isNet = false, undoes, happenedAt }) => ({
        id: idOf(),
        developer_id,
        order_id: orderId,
        key,
        kind,
        is_whole: isWhole,
        lines: lines === null ? null : json(lines.map(({ id, quantity }) => ({ id, quantity }))),
        amount,
        is_net: isNet,
        undoes,
        state: 'seen' as const,
        happened_at: happenedAt ?? now,
        seen_at: now,
        found_at: isFound ? now : null,
      })),
    )
    .onConflict((on) =>
      on
        .columns(['order_id', 'developer_id', 'key'])
        .doUpdateSet(({ ref }) => ({
          found_at: isFound ? ref('shop_reversals.found_at') : null,
          lines: better('lines'),
          amount: better('amount'),
          is_net: better('is_net'),
        }))
        .where(sql<boolean>`${KNOWN_BETTER} or (shop_reversals.found_at is not null and ${sql.lit(!isFound)})`),
    )
    .execute();
}

export async function writeReversalStates(
  tx: ShopsHandle,
  { developer_id, id }: OrderRow,
  states: ReadonlyMap<string, ReversalState>,
): Promise<void> {
  if (states.size === 0) return;
  await sql`
    update shop_reversals r set state = t.state from unnest(${[...states.keys()]}::text[], ${[...states.values()]}::text[]) as t (key, state)
    where r.developer_id = ${developer_id} and r.order_id = ${id} and r.key = t.key and r.state <> t.state`.execute(tx);
}

/** Units that are not there yet. */
export async function addUnits(tx: ShopsHandle, units: readonly UnitRow[]): Promise<void> {
  const AT_ONCE = 1000;
  for (let at = 0; at < units.length; at += AT_ONCE)
    await tx
      .insertInto('shop_units')
      .values(units.slice(at, at + AT_ONCE))
      .execute();
}

/** Writes units as they are now. */
export async function writeUnits(tx: ShopsHandle, accountId: string, units: readonly UnitRow[]): Promise<void> {
  if (units.length === 0) return;
  const all = <Name extends keyof UnitRow>(name: Name) => units.map((unit) => unit[name]);
  await sql`
    update shop_units u set state = t.state, serial_id = t.serial_id, draw_id = t.draw_id, code = t.code, usd_cents = t.usd_cents,
      cut_cents = t.cut_cents, refunded_cents = t.refunded_cents, decision = t.decision, mail_id = t.mail_id, issued_at = t.issued_at,
      ended_at = t.ended_at
    from unnest(${all('id')}::uuid[], ${all('state')}::text[], ${all('serial_id')}::uuid[], ${all('draw_id')}::uuid[], ${all('code')}::text[],
      ${all('usd_cents')}::int[], ${all('cut_cents')}::int[], ${all('refunded_cents')}::int[], ${all('decision')}::text[],
      ${all('mail_id')}::uuid[], ${all('issued_at')}::timestamptz[], ${all('ended_at')}::timestamptz[])
      as t (id, state, serial_id, draw_id, code, usd_cents, cut_cents, refunded_cents, decision, mail_id, issued_at, ended_at)
    where u.developer_id = ${accountId} and u.id = t.id`.execute(tx);
}

/** Removes units that never had a code. */
export async function removeUnits(tx: ShopsHandle, accountId: string, units: readonly UnitRow[]): Promise<void> {
  if (units.length === 0) return;
  await tx
    .deleteFrom('shop_units')
    .where('developer_id', '=', accountId)
    .where('id', '=', sql<string>`any(${units.map(({ id }) => id)}::uuid[])`)
    .execute();
}

/** Fixes what each piece of a line is sold as from now on. */
export async function freezeLine(tx: ShopsHandle, line: LineRow): Promise<void> {
  const { product_ids, units, source, batch_tag, prefix, expires_at, item_key } = line;
  await tx
    .updateTable('shop_lines')
    .set({ product_ids, units, source, batch_tag, prefix, expires_at, item_key })
    .where('developer_id', '=', line.developer_id)
    .where('id', '=', line.id)
    .execute();
}

/** Writes an order as it is now. */
export async function writeOrder(
  tx: ShopsHandle,
  row: OrderRow,
  now: Date,
  result: { state: OrderState; reasons: Reason[] },
): Promise<void> {
  const { id, developer_id, connection_id: _c, external_id: _e, received_at: _r, note: _n, ...values } = row;
  await tx
    .updateTable('shop_orders')
    .set({ ...values, ...result, updated_at: now })
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .execute();
}
