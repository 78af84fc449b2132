interface Queries {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** After a test has changed seats by SQL of its own: what is shown is counted from the seats again. */
export async function forgetSeatSums(db: Queries, developerId: string): Promise<void> {
  await db.query('update seat_counts set counted_at = null where developer_id = $1', [developerId]);
}
