import { sql } from 'kysely';
import { accountName } from '#features/accounts';
import { CAME, PROVEN } from '#features/customers';

/** Whether customer `c` has come by themselves. */
export const came = sql<boolean>`${sql.raw(CAME)}`;

/** Whether customer `c` reads the email of their address. */
export const proven = sql<boolean>`${sql.raw(PROVEN)}`;

/** What an account is called by others. `alias` is that of `users` in the statement. */
export const accountNameOf = (alias: string) => sql<string>`${sql.raw(accountName(alias))}`;
