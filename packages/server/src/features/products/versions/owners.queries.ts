import type { Sql } from '../../../platform/db/database.ts';
import { listOf } from '../../../platform/db/list-index.ts';
import type { Language } from '../../../platform/languages.ts';
import { CAME, PROVEN } from '../../customers/index.ts';

/** In one transaction. */
export const BATCH = 500;

/** Serial `s` is owned and can be used. */
const OWNED = 's.customer_id is not null and s.redeemed_at is not null and s.revoked_at is null';

/** Customer `c` can be emailed, has come by themselves, and has not stopped it. */
const WANTS = `c.erased_at is null and c.no_updates_at is null and ${CAME}`;

/** How many customers own the product and want to hear of it. */
export async function countOwners(sql: Sql, developerId: string, productId: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from customers c where c.developer_id = $1 and ${listOf('c')} and ${WANTS} and c.id in (
       select s.customer_id from batches b join serials s on (s.developer_id, s.batch_id) = (b.developer_id, b.id)
       where b.developer_id = $1 and b.product_id = $2 and ${OWNED})`,
    [developerId, productId],
  );
  return row?.n ?? 0;
}

interface Place {
  last_created_at: Date | null;
  last_id: string | null;
}

export interface CandidateRow {
  id: string;
  email: string;
  name: string;
  language: Language | null;
  created_at: Date;
  /** Whether they have followed a link that was sent to their address. */
  proven: boolean;
  /** The newest serial of the product; null for a customer who is not to be told. */
  serial_id: string | null;
  code: string | null;
}

/** The next customers in order of creation, those who were there when it began, and what they own of the product. */
export function nextCustomers(
  sql: Sql,
  developerId: string,
  { productId, startedAt, place }: { productId: string; startedAt: Date; place: Place },
): Promise<CandidateRow[]> {
  return sql.query<CandidateRow>(
    `select c.id, c.email, concat_ws(' ', c.first_name, c.last_name) as name, c.language, c.created_at, ${PROVEN} as proven, o.id as serial_id, o.code
     from (
       select * from customers c
       where c.developer_id = $1 and ${listOf('c')} and c.created_at <= $3
         and ($4::timestamptz is null or (c.created_at, c.id) > ($4, $5::uuid))
       order by c.created_at, c.id limit ${BATCH}
     ) c
     left join lateral (
       select s.id, s.code from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       where (s.developer_id, s.customer_id) = (c.developer_id, c.id) and b.product_id = $2 and s.redeemed_at <= $3 and ${OWNED}
       order by s.redeemed_at desc, s.id desc limit 1
     ) o on ${WANTS}
     order by c.created_at, c.id`,
    [developerId, productId, startedAt, place.last_created_at, place.last_id],
  );
}
