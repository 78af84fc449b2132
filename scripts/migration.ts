/**
 * `npm run migration NAME`: writes the migration between the newest one and the entities, on a temporary PostgreSQL that
 * is removed afterwards.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import pino from 'pino';
import { entities } from '../packages/server/src/entities.ts';
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded/embedded-postgres.ts';
import { createOrm } from '../packages/server/src/platform/db/orm.ts';
import { declaredRolling } from './lib/rolling.ts';

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
  process.stdout.write(
    written.fileName
      ? `migrations/${written.fileName}: ${await finish(path.join(migrationsFolder, written.fileName))}\n`
      : 'The entities have not changed.\n',
  );
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Formats it, and declares it where it can be. @returns what its author has to know */
async function finish(file: string): Promise<string> {
  const declared = declaredRolling(await readFile(file, 'utf8'), path.basename(file, '.ts'));
  if (declared !== null) await writeFile(file, declared);
  const root = path.resolve(import.meta.dirname, '..');
  await execa(process.execPath, [path.join(root, 'node_modules/@biomejs/biome/bin/biome'), 'check', '--write', file], {
    cwd: root,
  });
  return declared === null
    ? 'if older processes can live with it, declare it in rolling_migrations (decision 0022).'
    : 'older processes work on beside it (decision 0022).';
}
