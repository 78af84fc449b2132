import { period } from '#input/period.ts';

/** Dollars to three decimals, as the screen shows usage. */
export const exact = (dollars: number) => `$${dollars.toFixed(3)}`;

export const PERIOD = period(' in UTC');
