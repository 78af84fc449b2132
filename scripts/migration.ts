/**
 * Writes the migration between the newest one and the entities: `node scripts/migration.ts NAME`, with DATABASE_URL
 * naming an empty scratch database.
 */
import pino from 'pino';
import { entities } from '../packages/server/src/entities.ts';
import { createOrm } from '../packages/server/src/platform/db/orm.ts';

const url = process.env.DATABASE_URL;
const name = process.argv[2];
if (!url || !name) throw new Error('usage: DATABASE_URL=… node scripts/migration.ts NAME');

const orm = createOrm({
  url,
  poolSize: 2,
  entities,
  log: pino({ level: 'silent' }),
  migrationsFolder: new URL('../migrations', import.meta.url).pathname,
});
await orm.migrator.up();
const written = await orm.migrator.create(undefined, false, false, name);
process.stdout.write(written.fileName ? `${written.fileName}\n` : 'nothing to do\n');
await orm.close(true);
