/** Where a shop sends what it reports. */
export const addressOf = (publicUrl: string, accountId: string, token: string): string =>
  `${publicUrl}/api/shop-hooks/${accountId}/${token}`;
