import type { Database } from '#platform/db/database.ts';
import { readSchemaState } from '#platform/db/schema/schema-state.ts';
import type { Check } from '#platform/operations/readiness.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Config } from './config.ts';
import { checkSecrets } from './secrets-check.ts';

interface Options {
  preparedStatements: Config['preparedStatements'];
  migrationsFolder: string;
  db: Database;
  secrets: Secrets;
}

/** What has to hold before this process may take traffic, in the order in which it is looked at. */
export function readinessChecks({ preparedStatements, migrationsFolder, db, secrets }: Options): Check[] {
  return [
    {
      name: 'schema',
      stopsWork: true,
      async run() {
        const { pending, unknown } = await readSchemaState(db, migrationsFolder);
        if (unknown.length > 0) {
          return {
            reason: 'a newer version of the server has changed the database',
            detail: `This version does not have ${unknown.join(', ')}. Replace it by the newer one.`,
          };
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
