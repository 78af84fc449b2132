import { type RawBuilder, sql } from 'kysely';
import { accountNameOrClosed } from '#features/accounts';
import * as customers from '#features/customers';
import * as products from '#features/products';
import * as serials from '#features/serials';
import { lent, lentWith } from '#platform/db/statements/lent.ts';
import { folded } from '#platform/db/statements/like.ts';

// What other features say about their tables, as text still.

/** The developer `u`, whose account may be deleted. */
export const DEVELOPER_OR_CLOSED = lent<string>(accountNameOrClosed('u'));
/** Address and name of customer `c`, as the index has them. */
export const PERSON = lent<string>(customers.PERSON);
/** Of product `p`. */
export const SEEN_BY_RESELLERS = lent<boolean>(products.SEEN_BY_RESELLERS);
/** Of serial `s`. */
export const OPEN = lent<boolean>(serials.OPEN);
export const HANDED_OUT = lent<boolean>(serials.HANDED_OUT);

const at = (text: (now: string) => string, now: Date) => lentWith<boolean>(text, sql`${now}::timestamptz`);
/** Of batch `b` of product `p`. */
export const sellable = (now: Date) => at(serials.sellable, now);
export const inStock = (now: Date) => at(serials.inStock, now);

/** As a search compares it. */
export const foldedSql = (value: RawBuilder<unknown>) => lentWith<string>(folded, value);
