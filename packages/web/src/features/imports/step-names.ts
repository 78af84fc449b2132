/** Apart from what is done with them, because addresses name them before the screen is loaded. */
export const steps = ['read', 'map', 'check', 'run'] as const;
export type Step = (typeof steps)[number];
