/** The address that a shop sends its reports to. */
export const addressOf = (publicUrl: string, accountId: string, token: string): string =>
  `${publicUrl}/api/shop-hooks/${accountId}/${token}`;
