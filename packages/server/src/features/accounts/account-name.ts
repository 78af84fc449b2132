/** SQL of what an account is called by others: its company, or the person. `alias` is that of `users` in the statement. */
export const accountName = (alias: string): string =>
  `coalesce(nullif(${alias}.company_name, ''), trim(concat_ws(' ', ${alias}.first_name, ${alias}.last_name)))`;

/** SQL of the same, also of an account that was deleted: its names are blank. */
export const accountNameOrClosed = (alias: string): string =>
  `coalesce(nullif(${accountName(alias)}, ''), 'Closed account')`;
