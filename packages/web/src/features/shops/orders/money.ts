/** A decimal text in a currency, such as `98.00` and `EUR`. What no browser knows is shown as it is. */
export function formatPaid(amount: string, currency: string | null): string {
  if (currency === null) return amount;
  try {
    return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}
