import { CAME } from '#features/customers';
import type { Sql } from '#platform/db/database.ts';
import type { Language } from '#platform/text/languages.ts';

/** A customer, as a link names one. */
interface Person {
  dev: string;
  customer: string;
}

/** The customer with this address who owns a serial; never one who was erased. */
export async function findOwner(
  sql: Sql,
  developerId: string,
  emailKey: string,
): Promise<{ id: string; email: string; language: Language | null; came: boolean } | undefined> {
  const [row] = await sql.query<{ id: string; email: string; language: Language | null; came: boolean }>(
    `select c.id, c.email, c.language, ${CAME} as came from customers c
     where c.developer_id = $1 and c.email_key = $2 and c.erased_at is null
       and exists (select 1 from serials s where (s.developer_id, s.customer_id) = (c.developer_id, c.id) and s.redeemed_at is not null)`,
    [developerId, emailKey],
  );
  return row;
}

/** What a customer owns, newest first. */
export async function findOwned(sql: Sql, { dev, customer }: Person, most: number) {
  return sql.query<{ id: string; code: string; email: string }>(
    `select s.id, s.code, c.email from customers c join serials s on (s.developer_id, s.customer_id) = (c.developer_id, c.id)
     where c.developer_id = $1 and c.id = $2 and c.erased_at is null and s.redeemed_at is not null
     order by s.redeemed_at desc, s.id desc limit $3`,
    [dev, customer, most],
  );
}

/** Machines that hold a seat. */
export async function findMachines(sql: Sql, developerId: string, serialIds: readonly string[]) {
  return sql.query<{ id: string; code: string; machine_id: string; version: string | null; last_seen_at: Date }>(
    `select a.id, s.code, a.machine_id, a.version, a.last_seen_at from activations a join serials s on (s.developer_id, s.id) = (a.developer_id, a.serial_id)
     where a.developer_id = $1 and a.serial_id = any($2) and a.released_at is null order by a.last_seen_at desc, a.id`,
    [developerId, serialIds],
  );
}

/** One serial of a customer, while it may be used. */
export async function findOwnedSerial(sql: Sql, { dev, customer }: Person, codeKey: string) {
  const [row] = await sql.query<{ developerId: string; serialId: string; productId: string; email: string }>(
    `select s.developer_id as "developerId", s.id as "serialId", b.product_id as "productId", c.email
     from customers c join serials s on (s.developer_id, s.customer_id) = (c.developer_id, c.id) join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where c.developer_id = $1 and c.id = $2 and s.code_key = $3 and c.erased_at is null and s.revoked_at is null and p.deleted_at is null`,
    [dev, customer, codeKey],
  );
  return row;
}
