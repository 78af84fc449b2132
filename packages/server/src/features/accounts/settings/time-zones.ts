import type { Database } from '#platform/db/database.ts';
import { invalidField, sqlState } from '#platform/errors.ts';
import { NO_TIME_ZONE } from '../accounts.schemas.ts';

/**
 * A time zone as it is stored. The database also groups by its days, so it has to support the zone too.
 * @throws {AppError} invalid_request
 */
export async function knownZone(db: Database, name: string): Promise<string> {
  try {
    await db.query('select now() at time zone $1::text', [name]);
  } catch (error) {
    if (sqlState(error) !== '22023') throw error;
    throw invalidField('time_zone', NO_TIME_ZONE);
  }
  const spelled = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  // an alias stays what was chosen; only upper and lower case is put right
  return spelled.toLowerCase() === name.toLowerCase() ? spelled : name;
}
