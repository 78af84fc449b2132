/** The periods of a reseller's analytics, in days that end today. */
export const windows = [1, 3, 7, 14, 30] as const;
export type Window = (typeof windows)[number];

export const defaultWindow: Window = 30;

export const windowName = (days: Window) => (days === 1 ? 'Last 1 Day' : `Last ${days} Days`);
