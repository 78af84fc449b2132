import type { Bench } from './bench.ts';
import { seedLedger } from './seeds/seed.ts';
import { post, round, signIn } from './support.ts';

const OTHERS = Number(process.env.BENCH_OTHERS ?? 5_000_000);
const TABLES = ['customers', 'serials', 'redemptions', 'batches'];

/**
 * An account that is new on a server with millions of rows of others, before the database's statistics know of it: its
 * second import of what it has just imported, and as much again, against the first.
 */
export async function newcomer(bench: Bench): Promise<void> {
  const { server, db, quantity, say } = bench;
  const lines = Math.ceil(quantity / 20);
  const other = await signIn(server.url, 'settled');
  say(`seeding ${OTHERS} redeemed serials of somebody else`);
  await seedLedger(db, other.developerId, OTHERS, 9);
  for (const table of TABLES) await db.query(`alter table ${table} set (autovacuum_enabled = off)`);
  const { token } = await signIn(server.url, 'newcomer');
  await post(server.url, '/api/products', { name: 'New', price: 10 }, token);
  const send = async (from: number, to: number, added: number) => {
    const csv = ['Serial,Product,Email,First Name,Last Name'];
    for (let i = from; i < to; i += 1) csv.push(`NEW-${i},New,fan${i >> 1}@example.com,First,Last`);
    const form = new FormData();
    form.append('file', new Blob([csv.join('\n')]), 'redeemed.csv');
    const began = performance.now();
    const response = await fetch(`${server.url}/api/serials/import-redeemed`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    const answer = (await response.json()) as { count?: number };
    if (answer.count !== added) throw new Error(`the import answered ${JSON.stringify(answer).slice(0, 500)}`);
    return (performance.now() - began) / 1000;
  };
  say(`importing ${lines} redeemed serials as a new account`);
  const first = await send(0, lines, lines);
  say('importing them again, and as many new ones');
  const again = await send(0, 2 * lines, lines);
  for (const table of TABLES) await db.query(`alter table ${table} reset (autovacuum_enabled)`);
  bench.line({
    what: `import ${2 * lines} redeemed, half of them known, new among ${OTHERS} of others`,
    ours: `${round(again)} s`,
    baseline: `${round(first)} s for the first ${lines}`,
    ratio: again / first,
    atMost: 3,
  });
}
