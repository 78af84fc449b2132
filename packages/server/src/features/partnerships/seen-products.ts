import { sql } from 'kysely';
import { SEEN_BY_RESELLERS } from '#features/products';

/** Whether resellers may see a product `p`. */
export const seenByResellers = sql<boolean>`${sql.raw(SEEN_BY_RESELLERS)}`;
