/**
 * Finds out which calls fail while a part of a Citus cluster does. Six developers' plugins validate, customers redeem,
 * dashboards are open, people register; a worker is killed, a worker is paused, the coordinator is restarted, a worker is added and the
 * shards are moved to it.
 *
 *   scripts/citus/cluster.sh start FOLDER 2
 *   DATABASE_URL=… packages/server/src/bin.ts distribute --coordinator 127.0.0.1:7400 --shards 8
 *   node scripts/citus/trouble.ts FOLDER [SECONDS]
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { call, redeem } from '@tonerow/test-support/http.ts';
import { execa } from 'execa';
import pg from 'pg';
import { makeTenant, serveOn, type Tenant } from './tenants.ts';

const [folder, seconds = '15'] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/citus/trouble.ts FOLDER [SECONDS]\n');
  process.exit(64);
}
const LONG = Number(seconds) * 1000;
const TENANTS = 6;
const VALIDATE_EVERY = 40;
const REDEEM_EVERY = 12;
const LOOK_EVERY = 1000;
const CALLS = ['validate', 'redeem', 'dashboard', 'register'] as const;
/** What a page of the dashboard asks for at once. */
const PAGE = ['/api/products', '/api/batches', '/api/serials/redeemed', '/api/serials/available', '/api/analytics'];
const SERIALS = 400;
const first = Number(process.env.CITUS_PORT ?? 7400);
const database = `postgres://postgres@127.0.0.1:${first}/tonerow`;
const url = 'http://127.0.0.1:7490';
const root = path.resolve(import.meta.dirname, '../..');

const pool = new pg.Pool({ connectionString: database, max: 2 });
pool.on('error', () => undefined);
const db = {
  query: async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query(text, values)).rows as Row[],
};
const cluster = (...words: string[]) => execa(path.join(root, 'scripts/citus/cluster.sh'), words);
const node = (n: number, action: string) => cluster('node', folder, String(n), action);
const log = (line: string) => process.stdout.write(`${line}\n`);

interface Outcome {
  what: (typeof CALLS)[number];
  tenant: number;
  status: number;
  ms: number;
}

const server = await serveOn(database, new URL(url).port);
try {
  const tenants: (Tenant & { worker: string })[] = [];
  while (tenants.length < TENANTS) {
    const tenant = await makeTenant({ url, db, serials: SERIALS });
    const worker = await workerOf(tenant);
    // as many on each of the two
    if (tenants.filter((each) => each.worker === worker).length < TENANTS / 2) tenants.push({ ...tenant, worker });
  }
  let seen: Outcome[] = [];
  let going = true;
  const loops = tenants.flatMap((tenant, n) => [validating(tenant, n), redeeming(tenant, n), looking(tenant, n)]);
  loops.push(registering());

  await phase('nothing', () => pause(LONG));
  await phase('worker 1 killed', async () => {
    await node(1, 'kill');
    await pause(LONG);
    log(`  /readyz: ${JSON.stringify((await call({ url }, 'GET', '/readyz')).body)}`);
  });
  await phase('worker 1 starts again', async () => {
    await node(1, 'start');
    await pause(LONG);
  });
  await phase('worker 2 paused', async () => {
    await node(2, 'pause');
    await pause(LONG);
    log(`  /readyz: ${JSON.stringify((await call({ url }, 'GET', '/readyz')).body)}`);
  });
  await phase('worker 2 goes on', async () => {
    await node(2, 'resume');
    await pause(LONG);
  });
  await phase('coordinator restarted', async () => {
    await node(0, 'restart');
    await pause(2000);
  });
  await phase('after that', () => pause(LONG));
  const { stdout: port } = await cluster('add', folder);
  await execa('psql', ['-X', '-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-c', 'create database tonerow']);
  await execa('psql', [
    '-X',
    '-h',
    '127.0.0.1',
    '-p',
    port,
    '-U',
    'postgres',
    '-d',
    'tonerow',
    '-c',
    'create extension citus',
  ]);
  await phase('worker added', () => db.query('select citus_add_node($1, $2)', ['127.0.0.1', Number(port)]));
  await phase('rebalanced', () => db.query('select rebalance_table_shards()'));
  await phase('after that', () => pause(LONG));
  going = false;
  await Promise.all(loops);

  async function phase(name: string, during: () => Promise<unknown>): Promise<void> {
    seen = [];
    const began = performance.now();
    await during();
    const took = (performance.now() - began) / 1000;
    const outcomes = seen;
    log(`${name} (${took.toFixed(1)} s)`);
    const places = [...new Set(tenants.map(({ worker }) => worker))].sort();
    for (const what of CALLS) {
      for (const place of what === 'register' ? [''] : places) {
        const mine = outcomes.filter(
          (each) => each.what === what && (place === '' || tenants[each.tenant]?.worker === place),
        );
        const failed = mine.filter(({ status }) => status !== 200 && status !== 201);
        const statuses = Object.entries(Object.groupBy(failed, ({ status }) => String(status))).map(
          ([status, list]) => `${list?.length} × ${status}`,
        );
        const times = mine.map(({ ms }) => ms).sort((a, b) => a - b);
        const median = times[Math.floor(times.length / 2)] ?? 0;
        log(
          `  ${what.padEnd(9)} ${place.padEnd(16)} ${failed.length} of ${mine.length} failed${failed.length > 0 ? ` (${statuses.join(', ')})` : ''}, median ${median.toFixed(0)} ms, slowest ${(times.at(-1) ?? 0).toFixed(0)} ms`,
        );
      }
    }
  }

  async function timed(what: Outcome['what'], tenant: number, work: () => Promise<{ status: number }>): Promise<void> {
    const began = performance.now();
    const status = await work().then(
      (answer) => answer.status,
      () => 0,
    );
    seen.push({ what, tenant, status, ms: performance.now() - began });
  }

  async function validating({ key, license }: Tenant, n: number): Promise<void> {
    while (going) {
      await timed('validate', n, () =>
        call({ url }, 'POST', '/api/license/v1/validate', { token: key, body: license }),
      );
      await pause(VALIDATE_EVERY);
    }
  }

  async function redeeming({ codes, id }: Tenant, n: number): Promise<void> {
    for (const code of codes) {
      if (!going) return;
      await timed('redeem', n, () => redeem({ url }, code, `fan-${code}@example.com`, id));
      await pause(VALIDATE_EVERY * REDEEM_EVERY);
    }
  }

  async function looking({ token }: Tenant, n: number): Promise<void> {
    while (going) {
      await Promise.all(PAGE.map((path) => timed('dashboard', n, () => call({ url }, 'GET', path, { token }))));
      await pause(LOOK_EVERY);
    }
  }

  async function registering(): Promise<void> {
    for (let n = 0; going; n += 1) {
      const form = {
        first_name: 'New',
        last_name: 'Comer',
        email: `new-${Date.now()}-${n}@example.com`,
        password: 'a fine long password',
      };
      await timed('register', -1, () => call({ url }, 'POST', '/api/auth/register', { body: form }));
      await pause(1000);
    }
  }
} finally {
  await server.stop();
  await pool.end();
}

async function workerOf({ id }: Tenant): Promise<string> {
  const [shard] = await db.query<{ worker: string }>(
    `select nodeport::text as worker from citus_shards where table_name = 'products'::regclass
       and shardid = get_shard_id_for_distribution_column('products', $1::uuid)`,
    [id],
  );
  return `worker ${Number(shard?.worker) - first}`;
}
