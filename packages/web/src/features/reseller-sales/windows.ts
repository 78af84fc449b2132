/** The periods of a reseller's analytics, in days that end today. */
export const windows = [1, 3, 7, 14, 30] as const;
export type Window = (typeof windows)[number];

export const defaultWindow: Window = 30;

/** Anything else is no window. */
export const windowParam = (value: unknown): Window | undefined => windows.find((days) => days === Number(value));

export const windowName = (days: Window) => (days === 1 ? 'Last 1 Day' : `Last ${days} Days`);
