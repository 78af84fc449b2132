import { rm } from 'node:fs/promises';
import { call, type Person, signUp } from '@tonerow/test-support/http.ts';
import { spawnServer } from '@tonerow/test-support/process.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { serverCommand } from '@tonerow/test-support/server-command.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const NEWER = 'Migration20991231235959_of_a_newer_release';
let server: TestServer;
let ada: Person;

beforeAll(async () => {
  server = await startServer();
  ada = await signUp(server);
});
afterAll(() => server.stop());

const upgrade = () => server.db.query('insert into mikro_orm_migrations (name) values ($1)', [NEWER]);
const undo = async () => {
  await server.db.query('delete from mikro_orm_migrations where name = $1', [NEWER]);
  await server.db.query('delete from rolling_migrations');
};
const ready = async () => {
  const { status, body } = await call(server, 'GET', '/readyz');
  return [status, body.reason];
};

it('refuses to start on a schema that a newer release has changed, and explains that', async () => {
  await upgrade();
  try {
    await expect(startServer({ db: server.db })).rejects.toThrow(
      `belongs to a newer version of the server: ${NEWER} ran`,
    );
    const env = { DATABASE_URL: server.db.url, TONEROW_SECRET: TEST_SECRET };
    const refused = await spawnServer({ nowait: true, env });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toMatch(/"level":"fatal".*newer version/);
    expect(refused.output()).not.toContain('    at ');
    await rm(refused.dataDir, { recursive: true, force: true });
    for (const args of [['migrate'], ['admin', 'grant', 'ada@example.com']]) {
      const { code, err } = await serverCommand(args, env);
      expect([code, err]).toEqual([1, expect.stringContaining('belongs to a newer version of the server')]);
    }
  } finally {
    await undo();
  }
}, 240_000);

it('refuses data that it cannot upgrade, and calls it older: migrations that are merged into others since ran there', async () => {
  const OLDER = 'Migration20261121112820_merged_since';
  const [newest] = await server.db.query<{ id: number; name: string }>(
    'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning id, name',
  );
  await server.db.query('insert into mikro_orm_migrations (name) values ($1)', [OLDER]);
  try {
    const refused = await startServer({ db: server.db }).catch((error: Error) => error.message);
    expect(refused).toContain('from an older version of the server, from which this version cannot upgrade it');
    expect(refused).toContain(`${OLDER} ran there`);
    expect(refused).toContain('2026-11-21');
    expect(refused).not.toContain('newer');
    expect(await ready()).toEqual([503, expect.stringContaining('from an older version of the server')]);
  } finally {
    await server.db.query('delete from mikro_orm_migrations where name = $1', [OLDER]);
    await server.db.query('insert into mikro_orm_migrations (id, name) values ($1, $2)', [newest?.id, newest?.name]);
  }
  expect(await ready()).toEqual([200, undefined]);
});

it('stops being ready once a newer release changes the schema beneath it, and is ready again after a restore', async () => {
  expect(await ready()).toEqual([200, undefined]);
  await upgrade();
  try {
    expect(await ready()).toEqual([503, 'a newer version of the server has changed the database']);
    expect(server.logged()).toContain(NEWER);
  } finally {
    await undo();
  }
  expect(await ready()).toEqual([200, undefined]);
});

it('leaves the jobs to newer processes while it is too old, and takes them up again', async () => {
  await upgrade();
  try {
    await ready();
    // the last of these lines: tests before this one left theirs
    await vi.waitFor(
      () =>
        expect(
          server
            .logged()
            .match(/jobs are (left|taken)/g)
            ?.at(-1),
        ).toBe('jobs are left'),
      { timeout: 10_000 },
    );
    await call(server, 'POST', '/api/auth/forgot-password', { body: { email: ada.email } });
    const [before] = await server.db.query<{ now: Date }>('select now()');
    await undo();
    await ready();
    await server.email((email) => email.to?.[0]?.address === ada.email && /password/i.test(email.subject ?? ''));
    const late = "select 1 from pgboss.job where name = 'account-email' and created_on <= $1 and started_on > $1";
    expect(await server.db.query(late, [before?.now])).toHaveLength(1);
  } finally {
    await undo();
  }
});

it('keeps running, and starts, with a migration that the previous release supports', async () => {
  await upgrade();
  await server.db.query('insert into rolling_migrations (name) values ($1)', [NEWER]);
  try {
    expect(await ready()).toEqual([200, undefined]);
    await (await startServer({ db: server.db })).stop();
  } finally {
    await undo();
  }
});

it('is not ready while a migration has not run', async () => {
  const [newest] = await server.db.query<{ id: number; name: string }>(
    'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning id, name',
  );
  expect(await ready()).toEqual([503, 'the schema is not current']);
  await server.db.query('insert into mikro_orm_migrations (id, name) values ($1, $2)', [newest?.id, newest?.name]);
  expect(await ready()).toEqual([200, undefined]);
});
