import type pg from 'pg';

interface Database {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Plants the row that partnerships of a planted account need: see `reseller_developers`. */
export async function plantSeller(db: Database | pg.Client, resellerId: string, developerId: string): Promise<void> {
  await db.query('insert into reseller_developers (reseller_id, developer_id) values ($1, $2) on conflict do nothing', [
    resellerId,
    developerId,
  ]);
}
