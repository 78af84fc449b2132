import { type RawBuilder, sql } from 'kysely';
import { accountName, accountNameOrClosed } from '#features/accounts';
import * as products from '#features/products';
import * as serials from '#features/serials';
import { lent, lentWith } from '#platform/db/statements/lent.ts';
import { folded } from '#platform/db/statements/like.ts';

// What other features say about their tables, as text still.

/** The developer `u`. */
export const DEVELOPER = lent<string>(accountName('u'));
/** The same of one whose account may be deleted. */
export const DEVELOPER_OR_CLOSED = lent<string>(accountNameOrClosed('u'));
/** What a serial of batch `b` of product `p` costs. */
export const PRICE = lent<number>(products.PRICE);
/** Of product `p`. */
export const SEEN_BY_RESELLERS = lent<boolean>(products.SEEN_BY_RESELLERS);
/** Of serial `s`. */
export const OPEN = lent<boolean>(serials.OPEN);
export const HANDED_OUT = lent<boolean>(serials.HANDED_OUT);

const at = (text: (now: string) => string, now: Date) => lentWith<boolean>(text, sql`${now}::timestamptz`);
/** Of batch `b` of product `p`. */
export const sellable = (now: Date) => at(serials.sellable, now);
export const notForSale = (now: Date) => at(serials.notForSale, now);

/** As a search compares it. */
export const foldedSql = (value: RawBuilder<unknown>) => lentWith<string>(folded, value);
