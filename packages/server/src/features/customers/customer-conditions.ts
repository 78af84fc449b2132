import { type RawBuilder, sql } from 'kysely';

/**
 * A customer apparently came by themselves: they redeemed a serial, here or in a plugin. Anybody with the code could have typed
 * this address, so it proves nothing about who reads its email. Imports, transfers and changed addresses do not count.
 * @param c the alias of the customer
 */
export const hasRedeemed = (c: string): RawBuilder<boolean> => sql`${sql.ref(`${c}.last_login_at`)} is not null`;

/**
 * A customer reads the email of the address that they have: a link that was sent there was followed. Only such people get what a
 * developer writes to many, and a developer's words about what was done to them. Otherwise a list of strangers and some unsold
 * serials would be a way to email them.
 * @param c the alias of the customer
 */
export const isProven = (c: string): RawBuilder<boolean> => sql`${sql.ref(`${c}.proven_at`)} is not null`;
