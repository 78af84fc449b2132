import type { Sql } from '#platform/db/database.ts';

/** Notes that the account's owner has shown to read the email of its address, as by a link that was sent there. */
export async function verifyAddress(sql: Sql, userId: string, now: Date): Promise<void> {
  await sql.query(
    'update users set email_verified_at = $2 where id = $1 and email_verified_at is null and deleted_at is null',
    [userId, now],
  );
}
