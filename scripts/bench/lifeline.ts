import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execaNode } from 'execa';
import type { Bench } from './bench.ts';
import { type Shot, shoot } from './load.ts';
import { seededCode, seedLedger } from './seeds/seed.ts';
import { memoryOf, post, root, round, signIn } from './support.ts';

const CONNECTIONS = 200;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const VICTIM = 5;
const ATTACKER = 6;
/** Another account's plugins, one request after the other. */
const PLUGINS = 4;
const SETTLE_MS = 2000;
const RECOVERY_MS = 30_000;

/** How long `validate` takes while one account attacks with all it has, against the same in quiet; and the memory. */
export async function lifeline(bench: Bench): Promise<void> {
  const { server, db, quantity, say } = bench;
  const victim = await signIn(server.url, 'victim');
  const attacker = await signIn(server.url, 'attacker');
  say(`seeding ${quantity} serials of an attacker`);
  await seedLedger(db, victim.developerId, 1000, VICTIM, 1);
  await seedLedger(db, attacker.developerId, quantity, ATTACKER);
  const { plaintext } = await post(server.url, '/api/developer/plugin-keys', {}, victim.token);
  const body = JSON.stringify({ license_key: seededCode(7), machine_id: 'machine-1' });
  const measure = (): Promise<Shot> =>
    shoot({
      url: `${server.url}/api/license/v1/validate`,
      headers: { authorization: `Bearer ${plaintext}` },
      next: () => body,
      seconds: SECONDS,
      connections: PLUGINS,
    });
  const memory = () => memoryOf(server.child.pid as number);

  say('validate in quiet');
  await measure();
  const quiet = await measure();
  const before = await memory();
  say(`validate beside ${CONNECTIONS} attacking connections`);
  const attackers = execaNode(
    path.join(root, 'scripts/bench/processes/attackers.ts'),
    [server.url, attacker.token, String(CONNECTIONS)],
    { reject: false, stdio: 'inherit' },
  );
  let most = 0;
  const watch = setInterval(async () => {
    most = Math.max(most, (await memory()) - before);
  }, 100);
  await pause(SETTLE_MS);
  const beset = await measure();
  const ready = (await fetch(`${server.url}/readyz`)).ok;
  await signIn(server.url, 'victim');
  attackers.kill('SIGKILL');
  clearInterval(watch);
  if (!ready) throw new Error('the server was not ready under attack');
  let after = (await memory()) - before;
  for (const end = performance.now() + RECOVERY_MS; after > most / 2 && performance.now() < end; await pause(500))
    after = (await memory()) - before;
  bench.line({
    what: `lifeline: validate beside ${CONNECTIONS} attacking connections, 99 of 100`,
    ours: `${round(beset.p99, 1)} ms`,
    baseline: `${round(quiet.p99, 1)} ms in quiet`,
    ratio: beset.p99 / quiet.p99,
    below: 5,
  });
  bench.line({
    what: '  memory growth of the server',
    ours: `${round(most, 0)} MB`,
    ratio: most,
    below: 150,
    unit: ' MB',
  });
  bench.line({ what: '  of it kept afterwards', ours: `${round(after, 0)} MB`, ratio: after, below: 100, unit: ' MB' });
}
