import { sql } from 'kysely';

/**
 * What a reseller may see of a product `p` in stock, in a catalog or in what they are told: nothing before it is published, whatever it was
 * given. What they have sold stays in their ledger, their draws and their files, which have rules of their own.
 */
export const SEEN_BY_RESELLERS = sql<boolean>`p.deleted_at is null and not p.is_draft`;
