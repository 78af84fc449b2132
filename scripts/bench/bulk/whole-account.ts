import { setTimeout as pause } from 'node:timers/promises';
import { to } from 'pg-copy-streams';
import type { Bench } from '../bench.ts';
import { post, round, watchMemory } from '../support.ts';

const TURNS = 2;
const ASKED_EVERY = 100;
const OWN = { password: 'a bench of long words', passphrase: 'a passphrase of some length' };

/** Everything of an account in one archive, against a raw COPY TO of its large tables in the two forms that the archive has. */
export async function archiving(bench: Bench, account: { token: string; developerId: string }): Promise<void> {
  const { server, say } = bench;
  const memory = await watchMemory(server);
  const [ours, copied]: [number[], number[]] = [[], []];
  let rows = 0;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    say(`archiving, turn ${turn} of ${TURNS}`);
    const made = await archived(bench, account.token);
    ours.push(made.seconds);
    rows = made.rows;
    copied.push(await rawSeconds(bench, account.developerId));
  }
  const [a, b] = [rows / Math.min(...ours), rows / Math.min(...copied)];
  bench.line({
    what: `archive an account of ${rows} rows`,
    ours: `${round(a, 0)} rows/s`,
    baseline: `${round(b, 0)} rows/s raw COPY TO, as CSV and as JSON`,
    ratio: a / b,
    atLeast: 0.6,
  });
  const growth = memory.stop();
  bench.line({
    what: '  memory growth of the server',
    ours: `${round(growth, 0)} MB`,
    ratio: growth,
    below: 150,
    unit: ' MB',
  });
}

/** Measures an archive from the request to the complete file. */
async function archived({ server }: Bench, token: string): Promise<{ seconds: number; rows: number }> {
  const begun = performance.now();
  const { id } = await post(server.url, '/api/account/archives', OWN, token);
  const headers = { authorization: `Bearer ${token}` };
  for (;;) {
    const found = (await (await fetch(`${server.url}/api/account/archives/${id}`, { headers })).json()) as {
      state: string;
      rows: number;
      error: string | null;
    };
    if (found.error !== null) throw new Error(found.error);
    if (found.state === 'complete') {
      const seconds = (performance.now() - begun) / 1000;
      await fetch(`${server.url}/api/account/archives/${id}`, { method: 'DELETE', headers });
      return { seconds, rows: found.rows };
    }
    await pause(ASKED_EVERY);
  }
}

async function rawSeconds({ db }: Bench, developerId: string): Promise<number> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'developer_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const begun = performance.now();
  for (const { name } of rows) {
    const from = `from "${name}" t where t.developer_id = '${developerId}'`;
    for (const what of ['t.*', 'to_jsonb(t)::text'])
      for await (const _chunk of db.query(to(`copy (select ${what} ${from}) to stdout (format csv)`)));
  }
  return (performance.now() - begun) / 1000;
}
