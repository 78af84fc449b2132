import type { Bench } from '../bench.ts';
import { grown, seedGrown, WEBHOOK, webhookOf } from '../seeds/seed-lists.ts';
import { signIn } from '../support.ts';
import { compare, rowsOfCsv, rowsOfJson, type Side } from './list-runs.ts';

const ROWS = Number(process.env.BENCH_LISTS ?? process.env.BENCH_SERIALS ?? 1_000_000);
/** Rows of the other account, whose lists show whether the time grows with the rows alone. */
const FEWER = Math.floor(ROWS / 4);
const [GROWN, FEW_GROWN] = [47, 48];

/**
 * Every other list of the terminal client that grows with time and trade, at two sizes: time and memory. What a year, an account or a
 * payment plan keeps short is not among them, such as invoices, statements, access tokens and webhooks; nor what happened with one serial
 * or one customer, which is gathered whole for each page.
 */
export async function grownLists(bench: Bench): Promise<void> {
  const { server, db, say } = bench;
  say(`seeding ${ROWS} and ${FEWER} rows of every other list`);
  const account = async (name: string, rows: number, mark: number): Promise<Side> => {
    const { token, developerId } = await signIn(server.url, name);
    await seedGrown(db, developerId, rows, mark);
    return { token, rows, named: { [WEBHOOK]: webhookOf(mark) } };
  };
  const sides = [await account('grown', ROWS, GROWN), await account('grown-less', FEWER, FEW_GROWN)] as const;
  for (const line of grown)
    await compare(bench, sides, { command: [...line.split(' '), '--all', '--json'], counted: rowsOfJson });
  await compare(bench, sides, { command: ['products', 'export'], counted: rowsOfCsv, toFile: true });
}
