import { type Insertable, type RawBuilder, sql } from 'kysely';
import {
  type EventData,
  notifyRecorded,
  objectIdsOf,
  partsOf,
  patternsFor,
  RECORDED,
  recordParts,
} from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/db/statements/ids-at.ts';
import { setLocal } from '#platform/db/statements/set-local.ts';
import type { Tables } from '#platform/db/tables.ts';
import { ownMatch } from '#platform/db/tenant.ts';
import { idAt } from '#platform/random.ts';
import { UNDONE_IMPORT } from '../redemption.entity.ts';
import { tables } from '../tables.ts';
import { ACCOUNT, accountOf, holdDays, shareDays } from './account-days.ts';
import { addAdjustments, addRedemptions, listed } from './ledger-sums.ts';
import { recountDays, recountPartnership } from './recount.ts';

/** The columns of every redemption, including imported ones. */
const COLUMNS = [
  'id',
  'developer_id',
  'serial_id',
  'code',
  'product_id',
  'partnership_id',
  'customer_id',
  'redeemed_at',
  'source',
  'final_price_cents',
  'commission_bps',
  'commission_cents',
  'country',
] as const;
const COUNTED = [...COLUMNS, 'usage_cents'] as const;
const IMPORTED = [...COLUMNS, 'import_id'] as const;

export type LedgerEntry = Required<Pick<Insertable<Tables['redemptions']>, (typeof COUNTED)[number]>>;

/**
 * A row of values, beside that of its product: sums of it are made where the account is, on many machines as well. Inlined wherever it is
 * read, or its rows would be copied to all of them.
 */
const sold = (developerId: unknown, productId: unknown, values: RawBuilder<unknown>) => sql`
  ${accountOf(developerId)}, sold as not materialized (
    select own.developer_id, own.id as product_id, ${values} from products own
    where own.developer_id = ${developerId} and own.id = ${productId}
  )`;

/**
 * Writes one redemption, `entry`, and its sums.
 * @param byReseller whether a reseller sold it
 * @param values of {@link COUNTED}
 */
const entered = (byReseller: boolean, developerId: string, values: readonly unknown[]) => {
  const of = (column: (typeof COUNTED)[number]) => values[COUNTED.indexOf(column)];
  const summed = sql`${of('partnership_id')}::uuid as partnership_id, ${of('redeemed_at')}::timestamptz as redeemed_at,
    ${of('source')}::text as source, ${of('country')}::text as country, ${of('final_price_cents')}::int as final_price_cents,
    ${of('commission_cents')}::int as commission_cents`;
  return sql`
  with ${sold(developerId, of('product_id'), summed)}, entry as (
    insert into redemptions (${listed(COUNTED)}) values (${sql.join(values)}) returning id
  ), ${addRedemptions({ developerId, rows: sql`sold`, account: ACCOUNT }, byReseller)}`;
};

const entering = (byReseller: boolean) =>
  tables.named(
    byReseller ? 'enter_of_reseller' : 'enter',
    (_, developerId: string, ...values: readonly unknown[]) =>
      sql<object>`${entered(byReseller, developerId, values)} select count(*) from entry`,
  );
const enter = entering(false);
const enterOfReseller = entering(true);

/** The developer's event in the same statement: the account's usage stays locked for no further round trip. */
const enteringAndRecording = (byReseller: boolean) =>
  tables.named(
    byReseller ? 'enter_and_tell_of_reseller' : 'enter_and_tell',
    (
      _,
      developerId: string,
      at: Date,
      event: string,
      patterns: readonly string[],
      data: string,
      personal: string | null,
      objects: readonly string[],
      ...values: readonly unknown[]
    ) => {
      const eventParts = recordParts(null, {
        id: sql`${event}`,
        account: sql`${developerId}`,
        type: sql.lit('serial.redeemed'),
        patterns: sql`${patterns}`,
        at: sql`${at}`,
        data: sql`${data}`,
        personal: sql`${personal}`,
        objects: sql`${objects}`,
      });
      return sql<{ told: string | null }>`${entered(byReseller, developerId, values)}, ${eventParts}
        select ${RECORDED} as told from entry`;
    },
  );
const enterAndRecord = enteringAndRecording(false);
const enterAndRecordOfReseller = enteringAndRecording(true);

/**
 * Writes one redemption into the ledger and its sums, in the caller's transaction.
 * @param event what the developer's webhooks hear of it; null when none of them asks.
 */
export async function record(
  handle: Sql,
  row: LedgerEntry & { redeemed_at: Date },
  event: EventData<'serial.redeemed'> | null,
): Promise<void> {
  const developerId = row.developer_id;
  await shareDays(handle, developerId);
  const values = COUNTED.map((column) => row[column]);
  const byReseller = row.partnership_id !== null;
  if (!event) {
    await (byReseller ? enterOfReseller : enter)(handle, developerId, ...values);
    return;
  }
  const { shown, personal } = partsOf(event);
  const asked = patternsFor('serial.redeemed');
  const [entry] = await (byReseller ? enterAndRecordOfReseller : enterAndRecord)(
    handle,
    developerId,
    row.redeemed_at,
    idAt(row.redeemed_at),
    asked,
    shown,
    personal,
    objectIdsOf(event),
    ...values,
  );
  if (entry?.told) await notifyRecorded(handle, { account: developerId, id: entry.told, type: 'serial.redeemed' });
}

/** Writes one change of the money of a redemption into the ledger and its sums, in the caller's transaction, which holds the redemption's row. */
export async function adjust(handle: Sql, row: Insertable<Tables['ledger_adjustments']>): Promise<void> {
  const developerId = row.developer_id;
  await shareDays(handle, developerId);
  const summed = sql`${row.redemption_id}::uuid as redemption_id, ${row.partnership_id}::uuid as partnership_id,
    ${row.created_at}::timestamptz as created_at, ${row.revenue_cents}::bigint as revenue_cents,
    ${row.commission_cents}::bigint as commission_cents, ${row.month}::date as month`;
  await sql`
    with ${sold(developerId, row.product_id, summed)}, entry as (
      insert into ledger_adjustments (id, developer_id, redemption_id, partnership_id, product_id, kind, revenue_cents,
        commission_cents, reason, actor_id, created_at, month)
      values (${row.id}, ${developerId}, ${row.redemption_id}, ${row.partnership_id}, ${row.product_id}, ${row.kind},
        ${row.revenue_cents}, ${row.commission_cents}, ${row.reason}, ${row.actor_id}, ${row.created_at}, ${row.month})
      returning id
    ), ${addAdjustments({ developerId, rows: sql`sold`, account: ACCOUNT }, row.partnership_id != null)}
    select count(*) from entry`.execute(tables.in(handle));
}

/**
 * Writes many redemptions in bulk.
 * @param rows a relation (a table or a sub-select) with the ledger's columns, all of this developer.
 * @returns how many.
 */
export async function recordAll(handle: Sql, developerId: string, rows: RawBuilder<unknown>): Promise<number> {
  await shareDays(handle, developerId);
  const counted = await sql<{ n: number }>`
    /* with every machine: rows of an import come from a table of the session */
    with entry as (
      insert into redemptions (${listed(IMPORTED)}) select ${listed(IMPORTED)} from ${rows} as source_rows returning *
    ), ${addRedemptions({ developerId, rows: sql`entry` })}
    select count(*) as n from entry`.execute(tables.in(handle));
  return counted.rows[0]?.n ?? 0;
}

/** Rows of an import. */
interface OfImport {
  developerId: string;
  importId: string;
  /** None of its rows is older. */
  since: Date;
}

/** Redemptions `r` that an import brought. */
export const broughtBy = ({ developerId, importId, since }: OfImport) =>
  sql<boolean>`r.developer_id = ${developerId} and r.id >= ${firstIdAt(since)}::uuid and r.import_id = ${importId}::uuid`;

/**
 * Takes redemptions of an import out of the ledger, and counts the sums that they were in anew: the only way in which rows leave it. The
 * trigger admits it by the name of the import.
 * @param gone which of them, by their serials `s`
 * @returns how many
 */
export async function removeImported(handle: Sql, rows: OfImport, gone: RawBuilder<boolean>): Promise<number> {
  const { developerId, importId } = rows;
  const db = tables.in(handle);
  await holdDays(db, developerId);
  // on many machines, the setting has to be where the rows are
  await setLocal((text) => sql.raw(text).execute(db), { [UNDONE_IMPORT]: importId });
  const found = await sql<{ n: number; from: string | null; to: string | null; partners: string[] | null }>`
    with ${accountOf(developerId)}, gone as (
      delete from redemptions r using serials s
      where ${broughtBy(rows)} and s.developer_id = ${developerId} and ${ownMatch('s.id', 'r.serial_id')} and ${gone}
      returning r.redeemed_at, r.partnership_id, r.developer_id
    )
    select count(*) as n, min((g.redeemed_at at time zone u.time_zone)::date)::text as from,
      max((g.redeemed_at at time zone u.time_zone)::date)::text as to,
      array_agg(distinct g.partnership_id::text) filter (where g.partnership_id is not null) as partners
    from gone g join account u on u.id = g.developer_id`.execute(db);
  await sql`set local ${sql.raw(UNDONE_IMPORT)} = ''`.execute(db);
  const { n = 0, from, to, partners } = found.rows[0] ?? {};
  if (from && to) await recountDays(db, developerId, { from, to });
  for (const partnershipId of partners ?? []) await recountPartnership(db, developerId, partnershipId);
  return n;
}
