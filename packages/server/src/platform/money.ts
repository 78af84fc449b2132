/** Money is whole cents inside, dollars with at most two decimals in the price fields of the API. */
export type Cents = number;

export function toCents(dollars: number): Cents {
  return Math.round(dollars * 100);
}

export function toDollars(cents: Cents): number;
export function toDollars(cents: Cents | null): number | null;
export function toDollars(cents: Cents | null): number | null {
  return cents === null ? null : cents / 100;
}

/**
 * A share of an amount; half a cent rounds up.
 * @param basisPoints hundredths of a percent: 2000 is 20%.
 */
export function shareOf(amount: Cents, basisPoints: number): Cents {
  return Math.floor((amount * basisPoints + 5000) / 10_000);
}
