/**
 * `npm run migration NAME`: writes the migration between the newest one and the entities, on a temporary PostgreSQL that
 * is removed afterwards.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { entities } from '../packages/server/src/entities.ts';
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded/embedded-postgres.ts';
import { createOrm } from '../packages/server/src/platform/db/orm.ts';

const [name] = process.argv.slice(2);
if (!name || !/^\w+$/.test(name)) {
  process.stderr.write('usage: npm run migration NAME   (letters, digits and underscores, such as reseller_invites)\n');
  process.exit(64);
}

const log = pino({ level: 'silent' });
const dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-migration-'));
const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
try {
  const migrationsFolder = path.resolve(import.meta.dirname, '../migrations');
  const orm = createOrm({ url: postgres.url, entities, log, migrationsFolder });
  await orm.migrator.up();
  const written = await orm.migrator.create(undefined, false, false, name);
  await orm.close(true);
  process.stdout.write(written.fileName ? `migrations/${written.fileName}\n` : 'The entities have not changed.\n');
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
