import { type RawBuilder, sql } from 'kysely';
import { accountName } from '#features/accounts';
import * as partnerships from '#features/partnerships';
import * as products from '#features/products';
import * as serials from '#features/serials';
import { lent, lentWith } from '#platform/db/statements/lent.ts';
import { folded } from '#platform/db/statements/like.ts';

// What other features say about their tables, as text still.

/** The developer `u`. */
export const DEVELOPER = lent<string>(accountName('u'));
/** The ids of partnership `t` and of those that have become part of it. */
export const FAMILY = lent<string[]>(partnerships.familyOf('t'));
/** Of product `p`. */
export const SEEN_BY_RESELLERS = lent<boolean>(products.SEEN_BY_RESELLERS);
/** Of serial `s`. */
export const OPEN = lent<boolean>(serials.OPEN);

const at = (text: (now: string) => string, now: Date) => lentWith<boolean>(text, sql`${now}::timestamptz`);
/** Of batch `b` of product `p`. */
export const sellable = (now: Date) => at(serials.sellable, now);
export const notForSale = (now: Date) => at(serials.notForSale, now);

/** As a search compares it. */
export const foldedSql = (value: RawBuilder<unknown>) => lentWith<string>(folded, value);
