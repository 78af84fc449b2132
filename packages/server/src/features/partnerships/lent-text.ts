import { sql } from 'kysely';
import { familyIn } from './family.ts';
import { tables } from './tables.ts';

/** {@link familyIn} for features whose statements are text. */
export const familyOf = (p: string): string => tables.text(familyIn(p, sql.ref(`${p}.developer_id`)));
