import { type Cents, toDollars } from '../money.ts';

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const months = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** As it is written on paper: `$1,234.50`. */
export const money = (cents: Cents): string => usd.format(toDollars(cents));

/** @param month its first day, `YYYY-MM-DD`. */
export const monthName = (month: string): string => months.format(new Date(`${month}T00:00:00Z`));
