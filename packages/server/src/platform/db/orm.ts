import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type EntitySchema, MikroORM, type Options } from '@mikro-orm/postgresql';
import { PostgresDialect, type PostgresPool } from 'kysely';
import type { Logger } from '../log.ts';
import { afterStatement, beforeMigrations } from './citus/new-tables.ts';
import { OTHER_SCHEMAS } from './partitions/names.ts';
import { Lanes } from './pools/pools.ts';

export interface OrmOptions {
  url: string;
  /** Default: a few connections of its own, as for tools. */
  lanes?: Lanes;
  entities: readonly EntitySchema[];
  log: Logger;
  migrationsFolder: string;
}

export function ormConfig(options: OrmOptions): Options {
  const lanes = options.lanes ?? new Lanes({ ...options, sizes: { api: 2, licensing: 1, bulk: 1 } });
  return defineConfig({
    clientUrl: options.url,
    entities: [...options.entities],
    extensions: [Migrator],
    forceUtcTimezone: true,
    // behind a pooler the address may have another name for the database, which must not be made
    ensureDatabase: false,
    // pg-boss keeps its own schema, and an operator may have given tables partitions, which are no matter of the entities
    schemaGenerator: { ignoreSchema: ['pgboss', ...OTHER_SCHEMAS] },
    migrations: {
      path: options.migrationsFolder,
      pathTs: options.migrationsFolder,
      glob: '!(*.d).ts',
      emit: 'ts',
      snapshot: true,
      snapshotName: 'snapshot',
      // written when a migration is made, and never by a server or a test that runs them
      snapshotOnMigrate: false,
    },
    logger: (message) => options.log.debug(message),
    // migrations travel on the same connections as everything else, so that each lane is one pool
    driverOptions: () => new PostgresDialect({ pool: poolOf(lanes) }),
  });
}

/** Registers the entities immediately; connects to the database only for the first query. */
export function createOrm(options: OrmOptions): MikroORM {
  const orm = new MikroORM(ormConfig(options));
  ignorePartitions(orm);
  return orm;
}

interface SchemaHelper {
  getPartitions(): Promise<object>;
  getIndexesSQL(tables: unknown): string;
}

/** Whether a table has partitions is its operator's choice (decision 0108): comparing it with its entity sees none. */
function ignorePartitions(orm: MikroORM): void {
  const helper = orm.em.getPlatform().getSchemaHelper() as unknown as SchemaHelper;
  const indexesOf = helper.getIndexesSQL.bind(helper);
  helper.getPartitions = async () => ({});
  // constraints of partitions have the names of their parents'
  helper.getIndexesSQL = (tables) =>
    indexesOf(tables).replace('c.conname = i.relname', "c.conindid = i.oid and c.contype <> 'f'");
}

/** A transaction that can't begin or be rolled back has lost its connection. A commit that fails is rolled back. */
const LAST_WORDS = /^(begin|start transaction|rollback)\b(?! to)/;

function poolOf(lanes: Lanes): PostgresPool {
  return {
    async connect() {
      const client = await lanes.connect();
      await beforeMigrations(client).catch((error) => {
        client.release(true);
        throw error;
      });
      let released = false;
      const release = (broken: boolean) => {
        if (released) return;
        released = true;
        client.release(broken);
      };
      return {
        query: async (text: string, values: readonly unknown[]) => {
          try {
            const result = await client.query({ text, values: [...values] });
            await afterStatement(client, text);
            return result;
          } catch (error) {
            // after these nobody gives the connection back, and its lane would be one smaller for good
            if (LAST_WORDS.test(text)) release(true);
            throw error;
          }
        },
        release: () => release(false),
      } as unknown as Awaited<ReturnType<PostgresPool['connect']>>;
    },
    end: () => lanes.close(),
  } as unknown as PostgresPool;
}
