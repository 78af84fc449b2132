import { type InferResult, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Begins } from '#platform/db/handle.ts';
import type { Tables } from '#platform/db/tables.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { toDollars } from '#platform/money.ts';
import type { SerialView } from './serials.schemas.ts';
import { tables } from './tables.ts';

const columns = [
  's.id',
  's.code',
  'b.product_id',
  'p.name as product_name',
  'p.image_url',
  'b.partnership_id',
  'b.promo_price_cents',
  'b.promo_start',
  'b.promo_expires',
  'b.expires_at',
  'b.id as batch_id',
  'b.batch_tag',
  'b.notes',
  's.revoked_at',
  's.redeemed_at',
  's.handed_out_at',
  's.download_count',
  'b.created_at',
] as const;

/** Serials `s` of a developer, each with its batch `b` and its product `p`. */
export const ownSerials = (begin: Begins<Tables, never>, developerId: string) =>
  begin
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .where('s.developer_id', '=', developerId);

/** The same as they are shown. */
export const selectSerials = (begin: Begins<Tables, never>, developerId: string) =>
  ownSerials(begin, developerId).select(columns);

/** A serial as it is shown. */
export type Row = InferResult<ReturnType<typeof selectSerials>>[number];

/** The same columns in a template. */
export const COLUMNS = sql.raw(columns.join(', '));

export async function findSerial(handle: Sql, developerId: string, id: string): Promise<SerialView | undefined> {
  const found = await selectSerials(tables.in(handle), developerId).where('s.id', '=', id).executeTakeFirst();
  return found && view(found);
}

export function view(row: Row): SerialView {
  return {
    id: row.id,
    code: row.code,
    serial: row.code,
    product: row.product_name,
    product_id: row.product_id,
    product_name: row.product_name,
    reseller_id: row.partnership_id,
    image_url: row.image_url,
    promo_price: toDollars(row.promo_price_cents),
    promo_start: row.promo_start,
    promo_expires: row.promo_expires,
    expires_at: row.expires_at,
    batch_id: row.batch_id,
    batch_tag: row.batch_tag,
    notes: row.notes,
    revoked: row.revoked_at !== null,
    status: row.revoked_at === null ? 'active' : 'revoked',
    redeemed_at: row.redeemed_at,
    handed_out_at: row.handed_out_at,
    download_count: row.download_count,
    created_at: row.created_at,
  };
}
