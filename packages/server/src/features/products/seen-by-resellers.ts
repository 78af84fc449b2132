import { sql } from 'kysely';

/**
 * Whether a reseller may see a product `p` in stock, in a catalog or in notifications: nothing before it is published,
 * even if they were given serials of it. Their sales stay in their ledger, their draws and their files, which have
 * rules of their own.
 */
export const SEEN_BY_RESELLERS = sql<boolean>`p.deleted_at is null and not p.is_draft`;
