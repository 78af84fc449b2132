import { to } from 'pg-copy-streams';
import type { Bench } from '../bench.ts';
import { seedLedger, seedOpen } from '../seeds/seed.ts';
import { round, signIn, watchMemory } from '../support.ts';
import { archiving } from './whole-account.ts';

const ROWS = Number(process.env.BENCH_EXPORT ?? 3_000_000);
const PER_CUSTOMER = 4;
const TURNS = 2;
const [REDEEMED, LARGE, SMALL] = [1, 7, 8];

const OPEN_COLUMNS =
  's.code, p.name, b.promo_price_cents, b.promo_expires, b.promo_start, b.expires_at, b.batch_tag, b.notes';

/** Every export as CSV against a raw COPY TO of the same columns, in no order; and whether twice the rows take twice as long. */
export async function exporting(bench: Bench): Promise<void> {
  const { server, db, say } = bench;
  const seller = await signIn(server.url, 'exporter');
  const large = await signIn(server.url, 'stock');
  const small = await signIn(server.url, 'less-stock');
  const own = `'${seller.developerId}'`;
  const stock = `'${large.developerId}'`;
  say(`seeding ${ROWS} redeemed and ${ROWS} open serials`);
  await seedLedger(db, seller.developerId, ROWS, REDEEMED);
  // as after an import that PostgreSQL has not looked at yet
  await db.query('alter table serials set (autovacuum_enabled = false)');
  await seedOpen(db, small.developerId, Math.floor(ROWS / 4), SMALL);
  await seedOpen(db, large.developerId, ROWS, LARGE);

  const group = '/api/serials/group/Open';
  const quarter = await seconds(bench, small.token, group, Math.floor(ROWS / 4));
  const whole = await seconds(bench, large.token, group, ROWS);
  bench.line({
    what: `export a group of ${ROWS} before ANALYZE`,
    ours: `${round(whole)} s`,
    baseline: `${round(quarter * 4)} s four times a quarter`,
    ratio: whole / (quarter * 4),
    atMost: 1.5,
  });
  await db.query('alter table serials reset (autovacuum_enabled)');
  await db.query('vacuum analyze serials');

  const open = `select ${OPEN_COLUMNS} from serials s join batches b on b.id = s.batch_id join products p on p.id = b.product_id
    where s.developer_id = ${stock} and s.redeemed_at is null and s.revoked_at is null and s.handed_out_at is null`;
  const compare = async (what: string, token: string, path: string, rows: number, raw: string) => {
    const [ours, copied]: [number[], number[]] = [[], []];
    const memory = await watchMemory(server);
    for (let turn = 1; turn <= TURNS; turn += 1) {
      say(`exporting ${what}, turn ${turn} of ${TURNS}`);
      ours.push(await seconds(bench, token, path, rows));
      copied.push(await rawSeconds(bench, raw));
    }
    const [a, b] = [rows / Math.min(...ours), rows / Math.min(...copied)];
    bench.line({
      what: `export ${rows} ${what}`,
      ours: `${round(a, 0)} rows/s`,
      baseline: `${round(b, 0)} rows/s raw COPY TO`,
      ratio: a / b,
      atLeast: 0.6,
    });
    const growth = memory.stop();
    bench.line({
      what: '  memory growth of the server',
      ours: `${round(growth, 0)} MB`,
      ratio: growth,
      below: 50,
      unit: ' MB',
    });
  };
  await compare(
    'redeemed',
    seller.token,
    '/api/serials/redeemed',
    ROWS,
    `select r.redeemed_at, c.first_name, c.last_name, c.email, s.code, p.name, r.final_price_cents
     from redemptions r join serials s on s.id = r.serial_id join products p on p.id = r.product_id
       join customers c on c.id = r.customer_id where r.developer_id = ${own}`,
  );
  await compare('available', large.token, '/api/serials?state=available', ROWS, open);
  await compare('of a group', large.token, group, ROWS, open);
  await compare(
    'customers',
    seller.token,
    '/api/customers/export',
    Math.ceil(ROWS / PER_CUSTOMER),
    `select c.created_at, c.first_name, c.last_name, c.email, c.id, c.last_login_at, n.name, n.code from customers c
       left join lateral (select s.code, s.redeemed_at, p.name from serials s join batches b on b.id = s.batch_id
         join products p on p.id = b.product_id where s.customer_id = c.id order by s.redeemed_at desc, s.id desc limit 1) n on true
     where c.developer_id = ${own}`,
  );
  await archiving(bench, seller);
}

/** How long an export takes until its last byte arrives. */
async function seconds({ server }: Bench, token: string, path: string, rows: number): Promise<number> {
  const begun = performance.now();
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/csv' },
  });
  let lines = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  const took = (performance.now() - begun) / 1000;
  if (lines !== rows + 1) throw new Error(`${path} had ${lines} lines instead of ${rows + 1}`);
  return took;
}

async function rawSeconds({ db }: Bench, query: string): Promise<number> {
  const begun = performance.now();
  for await (const _chunk of db.query(to(`copy (${query}) to stdout`)));
  return (performance.now() - begun) / 1000;
}
