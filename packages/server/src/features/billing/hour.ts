/**
 * The hour of a key under which Stripe makes something once. Stripe keeps an error of its own under the key too, for a day,
 * so the next hour has another key; what was made meanwhile is looked for before anything is made.
 */
export const hourOf = (now: Date): string => now.toISOString().slice(0, 13);
