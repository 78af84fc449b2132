const SOON_MS = 60_000;
const DAY_MS = 86_400_000;
export const PACE_MS = 2000;
/** The time until the answer to an attempt is written down. */
const ANSWER_MS = 1000;

interface Planned {
  next_attempt_at: string | null;
}

/** When the next of these attempts has an outcome; false when none of them is planned. */
export function nextReadIn(rows: readonly Planned[], now = Date.now()): number | false {
  const waits = rows.flatMap(({ next_attempt_at }) =>
    next_attempt_at === null ? [] : [Date.parse(next_attempt_at) - now],
  );
  // a long overdue attempt belongs to an endpoint that is paused, or to a server that has much to do
  const next = Math.min(...waits.filter((wait) => wait > -SOON_MS));
  return next < DAY_MS ? Math.max(PACE_MS, next + ANSWER_MS) : false;
}

/** A pause leaves what was due as it was: that is not asked for again and again. */
export function isDue({ next_attempt_at }: Planned, now = Date.now()): boolean {
  return next_attempt_at !== null && Math.abs(Date.parse(next_attempt_at) - now) < SOON_MS;
}
