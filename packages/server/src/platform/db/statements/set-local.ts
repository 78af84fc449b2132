import pg from 'pg';

/**
 * Settings of a transaction, on every machine that its statements reach. A Citus cluster would keep them where the transaction begins, and
 * a moment would be written by the clock of the machine that has its row.
 * @param settings their values, which are quoted here: SET takes no parameters.
 */
export async function setLocal(
  query: (text: string) => Promise<unknown>,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  // elsewhere a name without a meaning
  await query("set local citus.propagate_set_commands = 'local'");
  // one by one, because each is passed on as it was sent
  for (const [name, value] of Object.entries(settings)) await query(`set local ${name} = ${pg.escapeLiteral(value)}`);
}
