/**
 * Side by side with what the machine can do at all, in one run: `npm run bench`. Answers ratios, because seconds say
 * more about the machine than about us. Kept as JSON in .cache/bench.json.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import { embeddedUrl } from '../../packages/server/src/platform/db/embedded-postgres.ts';
import { median, memoryOf, root, type Started, startBare, startServer } from './ground.ts';

interface Line {
  what: string;
  ours: string;
  baseline: string;
  ratio: number;
  goal: string;
  met: boolean;
}

const QUANTITY = Number(process.env.BENCH_SERIALS ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ACTIVATED = 500;
const lines: Line[] = [];
const say = (text: string) => process.stderr.write(`  ${text} …\n`);
const round = (value: number, digits = 2) => Number(value.toFixed(digits));

const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-bench-'));
// as root the database runs as another user, who has to get through
await chmod(folder, 0o755);
say('starting a server of its own');
const server = await startServer(path.join(folder, 'data'));
const databaseUrl = (await embeddedUrl(path.join(folder, 'data'))) as string;
const db = new pg.Client({ connectionString: databaseUrl });
await db.connect();
try {
  const { token, developerId } = await signIn(server.url);
  const product = await post(server.url, '/api/products', { name: 'Bench', price: 10 }, token);
  await generation(server, token, product.id);
  await validation(server, token, developerId);
  startUp();
} finally {
  await db.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

const report = { at: new Date().toISOString(), node: process.version, cpus: cpus().length, serials: QUANTITY, lines };
await mkdir(path.join(root, '.cache'), { recursive: true });
await writeFile(path.join(root, '.cache/bench.json'), `${JSON.stringify(report, null, 2)}\n`);
const head = ['', 'ours', 'baseline', 'ratio', 'goal', ''];
const rows = lines.map((line) => [
  line.what,
  line.ours,
  line.baseline,
  String(line.ratio),
  line.goal,
  line.met ? 'met' : 'MISSED',
]);
const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)));
for (const row of [head, ...rows])
  process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`);

async function generation({ url, child }: Started, token: string, productId: string): Promise<void> {
  const ours: number[] = [];
  const raw: number[] = [];
  let growth = 0;
  for (let round_ = 1; round_ <= 2; round_ += 1) {
    say(`generating ${QUANTITY} serials, round ${round_} of 2`);
    const before = await memoryOf(child.pid as number);
    const watch = setInterval(async () => {
      growth = Math.max(growth, (await memoryOf(child.pid as number)) - before);
    }, 50);
    const started = performance.now();
    const response = await fetch(`${url}/api/serials/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({ product_id: productId, quantity: QUANTITY }),
    });
    for await (const _chunk of response.body as AsyncIterable<Uint8Array>);
    ours.push((performance.now() - started) / 1000);
    clearInterval(watch);
    const batch = response.headers.get('x-batch-id');

    say('the same rows by a raw COPY');
    const file = path.join(folder, 'rows.copy');
    const columns = 'id, developer_id, batch_id, code, code_key';
    await pipeline(
      db.query(to(`copy (select ${columns} from serials where batch_id = '${batch}' order by id) to stdout`)),
      createWriteStream(file),
    );
    await db.query('delete from serials where batch_id = $1', [batch]);
    await db.query('vacuum serials');
    const begun = performance.now();
    await db.query('begin');
    await pipeline(createReadStream(file), db.query(from(`copy serials (${columns}) from stdin`)));
    await db.query('commit');
    raw.push((performance.now() - begun) / 1000);
  }
  const [a, b] = [Math.min(...ours), Math.min(...raw)];
  lines.push({
    what: `generate ${QUANTITY} as CSV`,
    ours: `${round(a)} s`,
    baseline: `${round(b)} s raw COPY`,
    ratio: round(a / b),
    goal: '≤ 2.5',
    met: a / b <= 2.5,
  });
  lines.push({
    what: '  memory growth of the server',
    ours: `${round(growth, 0)} MB`,
    baseline: '–',
    ratio: round(growth, 0),
    goal: '< 150 MB',
    met: growth < 150,
  });
}

async function validation({ url }: Started, token: string, developerId: string): Promise<void> {
  say(`activating ${ACTIVATED} serials`);
  await db.query("update users set plan = 'elite' where id = $1", [developerId]);
  await db.query('analyze');
  const { plaintext } = await post(url, '/api/developer/plugin-keys', {}, token);
  const { rows } = await db.query<{ code: string; code_key: string }>(
    'select code, code_key from serials tablesample system (1) limit $1',
    [ACTIVATED],
  );
  const bodies: { ours: string; bare: string }[] = [];
  for (const { code, code_key } of rows) {
    const license = { license_key: code, machine_id: 'bench-machine' };
    const { validation_token } = await post(
      url,
      '/api/license/v1/activate',
      { ...license, email: 'bench@example.com' },
      plaintext,
    );
    bodies.push({
      ours: JSON.stringify({ ...license, validation_token }),
      bare: JSON.stringify({ license_key: code_key, developer_id: developerId }),
    });
  }
  const bare = await startBare(databaseUrl);
  const shoot = async (target: string, key: 'ours' | 'bare', headers: Record<string, string>) => {
    const result = await autocannon({
      url: target,
      connections: 16,
      duration: SECONDS,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      requests: bodies.map((body) => ({ body: body[key] })),
    });
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${target}: ${result.non2xx} refusals, ${result.errors} errors`);
    return { rate: result.requests.average, p99: result.latency.p99 };
  };
  const [ours, baseline]: { rate: number; p99: number }[][] = [[], []];
  try {
    for (let turn = 1; turn <= 3; turn += 1) {
      say(`validate against a bare route, turn ${turn} of 3`);
      baseline?.push(await shoot(`${bare.url}/bare`, 'bare', {}));
      ours?.push(await shoot(`${url}/api/license/v1/validate`, 'ours', { authorization: `Bearer ${plaintext}` }));
    }
  } finally {
    await bare.stop();
  }
  const rate = (runs: { rate: number }[] | undefined) => median((runs ?? []).map((run) => run.rate));
  const [a, b] = [rate(ours), rate(baseline)];
  lines.push({
    what: `validate on ${QUANTITY * 2} serials`,
    ours: `${round(a, 0)} /s`,
    baseline: `${round(b, 0)} /s bare route`,
    ratio: round(a / b),
    goal: '≥ 0.7',
    met: a / b >= 0.7,
  });
}

function startUp(): void {
  say('start-up of the terminal client');
  const bin = path.join(root, 'packages/cli/bin/tonerow.cjs');
  const time = (args: string[]) => {
    const started = performance.now();
    execFileSync(process.execPath, args, { stdio: 'ignore' });
    return performance.now() - started;
  };
  time([bin, '--version']);
  const runs = Array.from({ length: 31 }, () => [time([bin, '--version']), time(['-e', '0'])] as const);
  const [a, b] = [median(runs.map(([ours]) => ours)), median(runs.map(([, node]) => node))];
  lines.push({
    what: 'tonerow --version',
    ours: `${round(a, 0)} ms`,
    baseline: `${round(b, 0)} ms node -e 0`,
    ratio: round(a / b),
    goal: '≤ 1.5',
    met: a / b <= 1.5,
  });
}

async function signIn(url: string): Promise<{ token: string; developerId: string }> {
  const form = { email: 'bench@example.com', password: 'a bench of long words', first_name: 'B', last_name: 'Ench' };
  await post(url, '/api/auth/register', form);
  const { token, user } = await post(url, '/api/auth/login', { email: form.email, password: form.password });
  return { token, developerId: user.id };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
async function post(url: string, target: string, body: object, token?: string): Promise<any> {
  const response = await fetch(url + target, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
