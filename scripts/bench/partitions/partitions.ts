import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { sqlOf } from '../../../packages/server/src/platform/db/database.ts';
import { tenantTables } from '../../../packages/server/src/platform/db/partitions/catalog.ts';
import { spread } from '../../../packages/server/src/spread.ts';
import type { Bench } from '../bench.ts';
import { shoot } from '../load.ts';
import { median, post, root, round, type Started, signIn, startServer } from '../support.ts';
import { type LookedUp, lookUps, MODES, type Mode, type Question } from './look-ups.ts';
import { seedAccounts, soldCode, soldOf } from './seed-accounts.ts';

const BY = Number(process.env.BENCH_PARTITIONS ?? 16);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ACCOUNTS = 400;
/** Accounts whose plugins ask. */
const ASKING = 8;
const TURNS = 7;
const MB = 1024 ** 2;
const GB = 1024 ** 3;

interface Side {
  name: string;
  url: string;
  env: Record<string, string>;
  db: pg.Client;
}

/**
 * The same accounts in two databases, one of which gets its partitions while plugins validate; then both side by side: `validate`, its
 * look-up by every way of planning, vacuum, a new index, and one backup restored into each form. Only when it is asked for: it needs five
 * times the size of the tables on the disk (3,000,000 serials: 12 GB, 10,000,000: 40 GB), and takes a quarter of an hour, or an hour.
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
  let other = await startServer(path.join(bench.folder, 'parts'), parts.env);
  try {
    const before = await sizes(whole.db);
    await converting(bench, parts, other, keys);
    // connections that were open meanwhile plan as before
    await other.stop();
    other = await startServer(path.join(bench.folder, 'parts'), parts.env);
    const after = await sizes(parts.db);
    // each partition of a table has pages of its own, whatever is in it: no share of what the tables have
    const more = (after.all - before.all) / MB;
    bench.line({
      what: `tables of accounts, ${quantity} serials`,
      ours: `${round(after.all / GB)} GB`,
      baseline: `${round(before.all / GB)} GB whole`,
      ratio: more / BY,
      below: 4,
      unit: ' MB each',
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

/** The request of an account's plugin about one of its serials. */
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

const PLANNED: Record<Mode, string> = {
  auto: 'planned as PostgreSQL likes',
  force_custom_plan: 'planned for each call',
  force_generic_plan: 'planned once',
};

/** The look-up of `validate` without a server around it: of one account, and of several that share a statement. */
async function lookingUp({ line, say, quantity }: Bench, [whole, parts]: readonly [Side, Side]) {
  const ids = await askingIds(whole.db);
  const ask = (account: number): Question => ({
    developerId: ids[account] as string,
    codeKey: soldCode(ACCOUNTS, account, Math.floor(Math.random() * soldOf(quantity, ACCOUNTS))).replace('-', ''),
    machineId: 'machine-1',
  });
  let next = 0;
  for (const accounts of [1, ASKING]) {
    say(`look-ups of ${accounts} at a time`);
    const found = await lookUps([whole.url, parts.url], () =>
      Array.from({ length: accounts }, () => {
        next += 1;
        return ask(next % ASKING);
      }),
    );
    const [before, after] = [whole.url, parts.url].map((url) => found.get(url)) as [ByMode, ByMode];
    for (const mode of MODES) {
      line({
        what: `look-up of ${accounts}, ${PLANNED[mode]}`,
        ours: `${round(after[mode].took, 2)} ms`,
        baseline: `${round(before[mode].took, 2)} ms whole`,
        ratio: after[mode].took / before[mode].took,
        // the others are there to be compared with
        atMost: mode === 'force_generic_plan' ? 1.2 : 10,
      });
      for (const [name, { planning, running, locks }] of [
        ['whole', before[mode]],
        ['parts', after[mode]],
      ] as const)
        say(`  ${mode}, ${name}: planning ${round(planning, 3)} ms, running ${round(running, 3)} ms, ${locks} locks`);
    }
    // measures the server's way in either form
    line({
      what: '  as the server plans it',
      ours: `${round(after.force_generic_plan.took, 2)} ms`,
      baseline: `${round(before.auto.took, 2)} ms whole`,
      ratio: after.force_generic_plan.took / before.auto.took,
      atMost: 1.2,
    });
    for (const [name, each] of [
      ['whole', before],
      ['parts', after],
    ] as const)
      say(`the plan, ${name}:\n${each.force_generic_plan.plan.replaceAll(/^/gm, '    ')}`);
  }
}

type ByMode = Record<Mode, LookedUp>;

async function askingIds(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>("select id from users where email like 'asking-%' order by email");
  return rows.map(({ id }) => id);
}

/** Measures work that grows with a table, in all and for a single partition: vacuum and a new index. */
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
