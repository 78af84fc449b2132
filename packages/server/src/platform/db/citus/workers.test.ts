import { Writable } from 'node:stream';
import { standInForCitus } from '@tonerow/test-support/citus-stand-in.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { call } from '@tonerow/test-support/http.ts';
import { startServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '#platform/log.ts';
import { Metrics } from '#platform/metrics/metrics.ts';
import { Workers } from './workers.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

let time = 0;
const lines: string[] = [];
const log = createLogger(
  'info',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  }),
);
const watch = () => new Workers({ db, url: db.url, log, now: () => time });
const gone = (name: string, value: boolean) =>
  db.query('update pg_dist_node set gone = $2 where nodename = $1', [name, value]);

it('has no workers on an ordinary PostgreSQL', async () => {
  const workers = watch();
  expect([await workers.state(), await workers.warnings()]).toEqual([[], []]);
});

it('warns of a worker that is gone, keeps what it saw for a while, and reports once that it is back', async () => {
  await standInForCitus(db);
  const workers = watch();
  const metrics = new Metrics('serve');
  workers.figures(metrics);
  expect(await workers.warnings()).toEqual([]);
  await gone('worker-2', true);
  expect(await workers.warnings()).toEqual([]);
  time += 5000;
  await expect.poll(() => workers.warnings()).toEqual(['database_worker_gone']);
  expect(await workers.state()).toEqual([
    { name: 'worker-1:5432', up: true },
    { name: 'worker-2:5432', up: false },
  ]);
  expect(await metrics.registry.metrics()).toContain('tonerow_database_worker_up{worker="worker-2:5432"} 0');
  time += 5000;
  await gone('worker-2', false);
  await expect.poll(() => workers.warnings()).toEqual([]);
  expect(lines.join('').match(/cannot be reached|is back/g)).toEqual(['cannot be reached', 'is back']);
});

it('shows in /readyz, which still takes traffic', async () => {
  await gone('worker-1', true);
  const server = await startServer({ db });
  try {
    const { status, body } = await call(server, 'GET', '/readyz');
    expect([status, body]).toEqual([200, { status: 'ready', warnings: ['database_worker_gone'] }]);
  } finally {
    await server.stop();
    await gone('worker-1', false);
  }
});
