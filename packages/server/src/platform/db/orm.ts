import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type EntitySchema, MikroORM, type Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import type { Logger } from '../log.ts';

const TIMESTAMPTZ = 1184;

export interface OrmOptions {
  url: string;
  poolSize: number;
  entities: readonly EntitySchema[];
  log: Logger;
  migrationsFolder: string;
}

export function ormConfig(options: OrmOptions): Options {
  return defineConfig({
    clientUrl: options.url,
    entities: [...options.entities],
    extensions: [Migrator],
    pool: { min: 0, max: options.poolSize },
    forceUtcTimezone: true,
    // pg-boss keeps its own schema
    schemaGenerator: { ignoreSchema: ['pgboss'] },
    migrations: {
      path: options.migrationsFolder,
      pathTs: options.migrationsFolder,
      glob: '!(*.d).ts',
      emit: 'ts',
      snapshot: true,
      snapshotName: 'snapshot',
    },
    logger: (message) => options.log.debug(message),
    driverOptions: {
      connectionTimeoutMillis: 5000,
      allowExitOnIdle: true,
      application_name: 'tonerow',
      // MikroORM asks pg for moments as text; rows read in the same transaction are to hold Dates, like everywhere else
      onPoolCreated: (pool: { options: { types?: unknown } }) => {
        const types = pool.options.types as { setTypeParser(oid: number, parser: (text: string) => unknown): void };
        types.setTypeParser(TIMESTAMPTZ, pg.types.getTypeParser(TIMESTAMPTZ));
      },
    },
  });
}

/** Knows the entities at once; touches the database at the first query only. */
export function createOrm(options: OrmOptions): MikroORM {
  return new MikroORM(ormConfig(options));
}
