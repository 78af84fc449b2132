import { sql } from 'kysely';
import { invalidField, sqlState } from '#platform/errors.ts';
import type { AccountsDb } from '../tables.ts';
import { NO_TIME_ZONE } from './profile-fields.ts';

/**
 * A time zone as it is stored. The database also groups by its days, so it has to support the zone too.
 * @throws {AppError} invalid_request
 */
export async function knownZone(db: AccountsDb, name: string): Promise<string> {
  try {
    await sql`select now() at time zone ${name}::text`.execute(db);
  } catch (error) {
    if (sqlState(error) !== '22023') throw error;
    throw invalidField('time_zone', NO_TIME_ZONE);
  }
  const spelled = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  // an alias stays what was chosen; only upper and lower case is put right
  return spelled.toLowerCase() === name.toLowerCase() ? spelled : name;
}
