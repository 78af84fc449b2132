import autocannon from 'autocannon';
import type { Bench } from './bench.ts';
import { median, post, round, startBare } from './ground.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ACTIVATED = 500;

/** `validate` against a bare route with one prepared SELECT, in turns. */
export async function validation(bench: Bench): Promise<void> {
  const { server, db, token, developerId, databaseUrl, quantity, say } = bench;
  const { url } = server;
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
  bench.line({
    what: `validate on ${quantity * 2} serials`,
    ours: `${round(a, 0)} /s`,
    baseline: `${round(b, 0)} /s bare route`,
    ratio: a / b,
    atLeast: 0.7,
  });
}
