/** Money is whole cents inside, dollars with at most two decimals in the price fields of the API. */
export type Cents = number;

export function toCents(dollars: number): Cents {
  return Math.round(dollars * 100);
}

/** Only for answers: computations use cents. */
export function toDollars(cents: Cents): number;
export function toDollars(cents: Cents | null): number | null;
export function toDollars(cents: Cents | null): number | null {
  return cents === null ? null : cents / 100;
}

/** {@link toDollars} in SQL. */
export const dollarsSql = (cents: string) => `${cents}::float8 / 100`;

/** Dollars as files have them, in SQL: `1234.50`. */
export const plainDollarsSql = (dollars: string) => `${dollars}::numeric(14, 2)`;

/**
 * The same of whole cents, whose product with 0.01 has two decimals: `1234.50`. A division would cost three times as much.
 */
export const plainCentsSql = (cents: string) => `${cents} * 0.01`;

/** As in files: `1234.50`. */
export function plainDollars(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The cents of a text such as `1234.5`; NaN when it is not one. */
export function centsIn(text: string): Cents {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? Number.NaN : Number(whole + part.padEnd(2, '0'));
}

/** Whether an amount or a rate that somebody entered is whole in hundredths. */
export function hasTwoDecimals(value: number): boolean {
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-6;
}

/**
 * A share of an amount; half a cent rounds up.
 * @param basisPoints hundredths of a percent: 2000 is 20%.
 */
export function shareOf(amount: Cents, basisPoints: number): Cents {
  return Math.floor((amount * basisPoints + 5000) / 10_000);
}

/** The percentage of a part in a whole, with two decimals; 0 if the whole is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
}
