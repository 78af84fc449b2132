import type { Database } from '#platform/db/database.ts';
import { type Origin, refusalOf } from '#platform/db/schema/origin.ts';
import { readSchemaState } from '#platform/db/schema/schema-state.ts';
import type { Check } from '#platform/operations/readiness.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Config } from './config.ts';
import { checkSecrets } from './secrets/secrets-check.ts';

interface Options {
  preparedStatements: Config['preparedStatements'];
  migrationsFolder: string;
  db: Database;
  secrets: Secrets;
}

/** Answers for anybody who asks `/readyz`, without the names of migrations, which are in the log. */
const CHANGED_BY: Record<Origin, string> = {
  newer: 'a newer version of the server has changed the database',
  older: 'the database is from an older version of the server, from which this one cannot upgrade it',
  another: 'another version of the server has changed the database',
};

/** The checks that have to pass before this process may take traffic, in order. */
export function readinessChecks({ preparedStatements, migrationsFolder, db, secrets }: Options): Check[] {
  return [
    {
      name: 'schema',
      stopsWork: true,
      async run() {
        const { pending, unknown, origin } = await readSchemaState(db, migrationsFolder);
        if (unknown.length > 0) {
          return { reason: CHANGED_BY[origin], detail: refusalOf(origin, { unknown, pending }) };
        }
        return pending.length > 0 ? { reason: 'the schema is not current' } : null;
      },
    },
    {
      name: 'pooler',
      async run() {
        // the operator vouches that named statements work
        if (preparedStatements === 'on' || !(await db.poolerAppeared())) return null;
        return {
          reason: 'a connection pooler is in front of the database',
          detail: 'DATABASE_URL did not lead to one when this process started. Start it again.',
        };
      },
    },
    { name: 'secrets', stopsWork: true, run: () => checkSecrets(db, secrets) },
  ];
}
