import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entities } from '../../packages/server/src/entities.ts';
import { createOrm } from '../../packages/server/src/platform/db/orm.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
let orm: ReturnType<typeof createOrm>;
beforeAll(async () => {
  db = await createTestDatabase();
  const log = pino({ level: 'silent' });
  orm = createOrm({ url: db.url, entities, log, migrationsFolder: path.resolve('migrations') });
});
afterAll(async () => {
  await orm.close(true);
  await db.drop();
});

describe('migrations', () => {
  it('make exactly what the entities describe', async () => {
    expect(await orm.migrator.getPending()).toEqual([]);
    expect(await orm.migrator.checkSchema()).toBe(false);
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });

  it('go down to nothing and up again', async () => {
    await orm.migrator.down({ to: 0 });
    const left = await db.query("select tablename from pg_tables where schemaname = 'public'");
    expect(left.map((row) => row.tablename)).toEqual(['mikro_orm_migrations']);
    await orm.migrator.up();
    expect(await orm.schema.getUpdateSchemaSQL()).toBe('');
  });
});
