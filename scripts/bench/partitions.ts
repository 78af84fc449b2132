import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { sqlOf } from '../../packages/server/src/platform/db/database.ts';
import { tenantTables } from '../../packages/server/src/platform/db/partitions/catalog.ts';
import { spread } from '../../packages/server/src/spread.ts';
import type { Bench } from './bench.ts';
import { shoot } from './load.ts';
import { seedAccounts, soldCode, soldOf } from './seed-accounts.ts';
import { median, post, root, round, type Started, signIn, startServer } from './support.ts';

const BY = Number(process.env.BENCH_PARTITIONS ?? 16);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ACCOUNTS = 400;
/** Accounts whose plugins ask. */
const ASKING = 8;
const TURNS = 7;
const GB = 1024 ** 3;

interface Side {
  name: string;
  url: string;
  env: Record<string, string>;
  db: pg.Client;
}

/**
 * The same accounts in two databases, one of which gets its partitions while plugins validate; then both side by side. Only when it is
 * asked for: it needs five times the size of the tables on the disk (3,000,000 serials: 12 GB), and takes a quarter of an hour.
 */
export async function partitions(bench: Bench): Promise<void> {
  const { quantity, say } = bench;
  const secret = randomBytes(32).toString('hex');
  const side = async (name: string): Promise<Side> => {
    const url = new URL(bench.databaseUrl);
    url.pathname = `/${name}`;
    const env = {
      DATABASE_URL: url.toString(),
      TONEROW_SECRET: secret,
      TONEROW_DATA_DIR: path.join(bench.folder, name),
    };
    const db = new pg.Client({ connectionString: url.toString() });
    await db.connect();
    return { name, url: url.toString(), env, db };
  };
  // a run of its own would come at any time
  await bench.db.query('alter system set autovacuum = off');
  await bench.db.query('select pg_reload_conf()');
  await bench.db.query('create database whole');
  const whole = await side('whole');
  const keys: string[] = [];
  let server = await startServer(path.join(bench.folder, 'whole'), whole.env);
  try {
    const known: string[] = [];
    for (let n = 0; n < ASKING; n += 1) {
      const { token, developerId } = await signIn(server.url, `asking-${n}`);
      known.push(developerId);
      keys.push((await post(server.url, '/api/developer/plugin-keys', {}, token)).plaintext);
    }
    say(`seeding ${quantity} serials of ${ACCOUNTS} accounts`);
    await seedAccounts(whole.db, { known, accounts: ACCOUNTS, quantity });
  } finally {
    await server.stop();
  }
  say('copying the database');
  await whole.db.end();
  await bench.db.query('create database parts template whole strategy file_copy');
  const parts = await side('parts');
  whole.db = (await side('whole')).db;
  server = await startServer(path.join(bench.folder, 'whole'), whole.env);
  const other = await startServer(path.join(bench.folder, 'parts'), parts.env);
  try {
    const before = await sizes(whole.db);
    await converting(bench, parts, other, keys);
    const after = await sizes(parts.db);
    bench.line({
      what: `tables of accounts, ${quantity} serials`,
      ours: `${round(after.all / GB)} GB`,
      baseline: `${round(before.all / GB)} GB whole`,
      ratio: after.all / before.all,
      atMost: 1.1,
    });
    bench.line({
      what: '  the largest with its indexes',
      ours: `${round(after.largest / GB)} GB`,
      baseline: `${round(before.largest / GB)} GB whole`,
      ratio: after.largest / before.largest,
      atMost: 2.5 / BY,
    });
    await validating(bench, [server, other], keys);
    await lookingUp(bench, [whole, parts]);
  } finally {
    await server.stop();
    await other.stop();
  }
  await keeping(bench, [whole, parts]);
  await moving(bench, whole);
  await whole.db.end();
  await parts.db.end();
  for (const { name } of [whole, parts]) await bench.db.query(`drop database ${name} with (force)`);
}

async function sizes(db: pg.Client): Promise<{ all: number; largest: number }> {
  const all = (await tenantTables(sqlOf(db), spread)).reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const { rows } = await db.query<{ size: number }>(
    "select max(pg_total_relation_size(oid))::float8 as size from pg_class where relkind = 'r' and relname = 'serials'",
  );
  return { all, largest: rows[0]?.size ?? 0 };
}

function command(env: Record<string, string>, ...words: string[]) {
  const program = path.join(root, 'packages/server/dist/bin.js');
  return execa(process.execPath, [program, ...words], { env, stdout: 'inherit', stderr: 'inherit' });
}

/** What the plugin of an account asks about one of its serials. */
const asks = (quantity: number, account: number) => () =>
  JSON.stringify({
    license_key: soldCode(ACCOUNTS, account, Math.floor(Math.random() * soldOf(quantity, ACCOUNTS))),
    machine_id: 'machine-1',
  });

async function validate({ url }: Started, keys: readonly string[], quantity: number, seconds: number, connections = 4) {
  const shots = await Promise.all(
    keys.map((key, account) =>
      shoot({
        url: `${url}/api/license/v1/validate`,
        headers: { authorization: `Bearer ${key}` },
        next: asks(quantity, account),
        seconds,
        connections,
      }),
    ),
  );
  return { rate: shots.reduce((sum, { rate }) => sum + rate, 0), p99: Math.max(...shots.map(({ p99 }) => p99)) };
}

/** The command, while plugins validate: none of their calls may fail, which `shoot` throws for. */
async function converting({ say, line, quantity }: Bench, parts: Side, server: Started, keys: readonly string[]) {
  say(`tonerow-server partition --by ${BY}`);
  let over = false;
  let longest = 0;
  let asked = 0;
  const load = (async () => {
    const next = asks(quantity, 0);
    while (!over) {
      const began = performance.now();
      const response = await fetch(`${server.url}/api/license/v1/validate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
        body: next(),
      });
      if (!response.ok) throw new Error(`validate answered ${response.status} meanwhile: ${await response.text()}`);
      await response.arrayBuffer();
      asked += 1;
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  load.catch(() => undefined);
  const began = performance.now();
  await command(parts.env, 'partition', '--by', String(BY), '--yes');
  const took = (performance.now() - began) / 1000;
  over = true;
  await load;
  line({ what: `partition --by ${BY}`, ours: `${round(took, 0)} s`, ratio: took, below: 3600, unit: ' s' });
  line({
    what: `  longest of ${asked} calls of validate meanwhile`,
    ours: `${round(longest, 0)} ms`,
    ratio: longest,
    below: 2000,
    unit: ' ms',
  });
}

async function validating({ say, line, quantity }: Bench, sides: [Started, Started], keys: readonly string[]) {
  const shots: [{ rate: number; p99: number }[], { rate: number; p99: number }[]] = [[], []];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    say(`validate on both, ${turn === 0 ? 'to warm up' : `turn ${turn} of ${TURNS}`}`);
    // each comes first as often as the other
    for (const at of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const shot = await validate(sides[at], keys, quantity, SECONDS);
      if (turn > 0) shots[at].push(shot);
    }
  }
  const [whole, parts] = shots.map((each) => ({
    rate: median(each.map(({ rate }) => rate)),
    p99: median(each.map(({ p99 }) => p99)),
  })) as [{ rate: number; p99: number }, { rate: number; p99: number }];
  line({
    what: `validate, ${ASKING} accounts`,
    ours: `${round(parts.rate, 0)} /s`,
    baseline: `${round(whole.rate, 0)} /s whole`,
    ratio: parts.rate / whole.rate,
    atLeast: 0.95,
  });
  line({
    what: '  99 of 100 within',
    ours: `${round(parts.p99, 1)} ms`,
    baseline: `${round(whole.p99, 1)} ms whole`,
    ratio: parts.p99 / whole.p99,
    atMost: 1.2,
  });
}

const LOOK_UP = {
  name: 'look-up',
  text: `select s.id, p.name, a.machine_id from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
      join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      left join activations a on (a.developer_id, a.serial_id) = (s.developer_id, s.id) and a.released_at is null
    where s.developer_id = $1 and s.code_key = $2`,
};

/** One prepared look-up across four tables, without a server around it, as PostgreSQL plans it and planned once; and its plan. */
async function lookingUp({ line, say, quantity }: Bench, sides: readonly [Side, Side]) {
  for (const mode of ['auto', 'force_generic_plan'] as const) {
    const times: number[] = [];
    for (const { db } of sides) {
      const ids = await askingIds(db);
      await db.query(`set plan_cache_mode = ${mode}`);
      const turns: number[] = [];
      for (let turn = 0; turn < 3000; turn += 1) {
        const account = turn % ASKING;
        const code = soldCode(ACCOUNTS, account, Math.floor(Math.random() * soldOf(quantity, ACCOUNTS)));
        const began = performance.now();
        const found = await db.query({ ...LOOK_UP, values: [ids[account], code.replace('-', '')] });
        if (found.rows.length !== 1) throw new Error(`${code} was found ${found.rows.length} times`);
        turns.push(performance.now() - began);
      }
      times.push(median(turns.slice(1000)));
      await db.query('reset plan_cache_mode');
    }
    const [whole = 0, parts = 0] = times;
    line({
      what: mode === 'auto' ? 'a prepared look-up by code' : '  by its general plan',
      ours: `${round(parts, 2)} ms`,
      baseline: `${round(whole, 2)} ms whole`,
      ratio: parts / whole,
      atMost: 1.5,
    });
  }
  for (const { db, name } of sides) {
    const [id] = await askingIds(db);
    const code = soldCode(ACCOUNTS, 0, 0).replace('-', '');
    const plan = await db.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${LOOK_UP.text.replace('$1', `'${id}'`).replace('$2', `'${code}'`)}`,
    );
    say(`the plan, ${name}:\n${plan.rows.map((row) => `    ${row['QUERY PLAN']}`).join('\n')}`);
  }
}

async function askingIds(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>("select id from users where email like 'asking-%' order by email");
  return rows.map(({ id }) => id);
}

/** What grows with a table: vacuum and a new index, in all and by the piece that one of them holds. */
async function keeping({ line, say }: Bench, sides: readonly [Side, Side]) {
  const measured: { vacuum: number[]; index: number[] }[] = [];
  for (const { db, name } of sides) {
    say(`vacuum and an index, ${name}`);
    const { rows: pieces } = await db.query<{ piece: string }>(
      "select oid::regclass::text as piece from pg_class where relkind = 'r' and relname = 'serials' order by relnamespace",
    );
    const timed = async (text: string) => {
      const began = performance.now();
      await db.query(text);
      return (performance.now() - began) / 1000;
    };
    // every 20th row has a new version, on another page and in every index
    await db.query('update serials set download_count = download_count + 1 where hashtext(code) % 20 = 0');
    await db.query('checkpoint');
    const each = { vacuum: [] as number[], index: [] as number[] };
    for (const { piece } of pieces) each.vacuum.push(await timed(`vacuum ${piece}`));
    for (const { piece } of pieces)
      each.index.push(await timed(`create index bench_index on ${piece} (developer_id, redeemed_at, code)`));
    measured.push(each);
  }
  const [whole, parts] = measured as [{ vacuum: number[]; index: number[] }, { vacuum: number[]; index: number[] }];
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  for (const [what, key] of [
    ['vacuum of serials, a 20th changed', 'vacuum'],
    ['a new index on serials', 'index'],
  ] as const) {
    const [ours, baseline] = [sum(parts[key]), sum(whole[key])];
    const each = Math.max(...parts[key]);
    line({
      what: `${what}: longest piece`,
      ours: `${round(each)} s`,
      baseline: `${round(baseline)} s whole`,
      ratio: each / baseline,
      atMost: 0.5,
    });
    line({
      what: '  in all',
      ours: `${round(ours)} s`,
      baseline: `${round(baseline)} s whole`,
      ratio: ours / baseline,
      atMost: 1.5,
    });
  }
}

/** One backup, restored into each form. */
async function moving(bench: Bench, whole: Side) {
  const file = path.join(bench.folder, 'whole.backup');
  bench.say('backup');
  await command(whole.env, 'backup', file);
  const times: number[] = [];
  for (const by of [0, BY]) {
    const name = `restored_${by}`;
    await bench.db.query(`create database ${name}`);
    const url = new URL(bench.databaseUrl);
    url.pathname = `/${name}`;
    const folder = path.join(bench.folder, name);
    const env = { ...whole.env, DATABASE_URL: url.toString(), TONEROW_DATA_DIR: folder };
    await command(env, 'migrate');
    if (by > 0) await command(env, 'partition', '--by', String(by), '--yes');
    bench.say(`restore into ${by === 0 ? 'whole tables' : `${by} partitions`}`);
    const began = performance.now();
    await command(env, 'restore', file);
    times.push((performance.now() - began) / 1000);
    await bench.db.query(`drop database ${name} with (force)`);
    await rm(folder, { recursive: true, force: true });
  }
  const [plain = 0, parted = 0] = times;
  const { size } = await stat(file);
  bench.line({
    what: `restore of a backup of ${round(size / GB)} GB`,
    ours: `${round(parted, 0)} s`,
    baseline: `${round(plain, 0)} s whole`,
    ratio: parted / plain,
    atMost: 1.3,
  });
  await rm(file, { force: true });
}
