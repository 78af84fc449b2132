import { type RawBuilder, sql } from 'kysely';

/**
 * A customer has come by themselves, as far as anybody can see: redeemed here or in a plugin. Whoever has the code could have typed
 * this address, so it says nothing about who reads its email. An import, a transfer and a changed address are no coming at all.
 * @param c the alias of the customer
 */
export const came = (c: string): RawBuilder<boolean> => sql`${sql.ref(`${c}.last_login_at`)} is not null`;

/**
 * A customer reads the email of the address that they have: a link that was sent there was followed. Only such people get what a
 * developer writes to many, and a developer's words about what was done to them. Otherwise a list of strangers and some unsold
 * serials would be a way to email them.
 * @param c the alias of the customer
 */
export const isProven = (c: string): RawBuilder<boolean> => sql`${sql.ref(`${c}.proven_at`)} is not null`;
