/**
 * How long `validate` takes for one tenant, one call after another, on several databases by turns: a cluster's, and an ordinary one.
 *
 *   node scripts/citus/latency.ts NAME=postgres://… NAME=postgres://… [--calls=N]
 */
import { call } from '@tonerow/test-support/http.ts';
import pg from 'pg';
import { makeTenant, serveOn } from './tenants.ts';

const words = process.argv.slice(2);
const calls = Number(words.find((word) => word.startsWith('--calls='))?.slice(8) ?? 600);
const given = words.filter((word) => !word.startsWith('--'));
if (given.length === 0) {
  process.stderr.write('usage: node scripts/citus/latency.ts NAME=postgres://… …\n');
  process.exit(64);
}
const TURN = 50;

const places = [];
for (const [n, word] of given.entries()) {
  const [, name = '', database = ''] = /^([^=]+)=(.*)$/.exec(word) ?? [];
  const port = String(7480 + n);
  const url = `http://127.0.0.1:${port}`;
  const server = await serveOn(database, port);
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  const db = {
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query(text, values)).rows as Row[],
  };
  const { key, license } = await makeTenant({ url, db, serials: 100 });
  await pool.end();
  places.push({
    name,
    server,
    times: [] as number[],
    validate: () => call({ url }, 'POST', '/api/license/v1/validate', { token: key, body: license }),
  });
}
for (let done = -TURN; done < calls; done += TURN) {
  for (const { validate, times } of places) {
    for (let n = 0; n < TURN; n += 1) {
      const began = performance.now();
      const { status, text } = await validate();
      if (status !== 200) throw new Error(`validate answered ${status} ${text}`);
      // the first turn warms up
      if (done >= 0) times.push(performance.now() - began);
    }
  }
}
for (const { name, times } of places) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  process.stdout.write(`${name}: median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, slowest ${at(0.999)} ms\n`);
}
for (const { server } of places) await server.stop();
