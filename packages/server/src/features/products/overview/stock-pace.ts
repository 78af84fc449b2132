/** How long a stock lasts at the pace of the last 30 days. */
export function stockPace(available: number, redeemedIn30Days: number): { per_day: number; days_left: number | null } {
  return {
    per_day: Math.round((redeemedIn30Days / 30) * 100) / 100,
    // from the count itself: the rounded pace of a slow product is far off
    days_left: redeemedIn30Days > 0 ? Math.floor((available * 30) / redeemedIn30Days) : null,
  };
}
