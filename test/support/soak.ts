/**
 * Tests of kills and lost connections prove more the more often they run. The suite runs a slice of them.
 * `npm run soak` sets `TONEROW_SOAK` to how many times as many there are to be.
 */
const factor = Number(process.env.TONEROW_SOAK ?? 1);

/** How often: a slice, or many times that. */
export function times(slice: number): number {
  return slice * factor;
}

/** The rounds of a test that is whole in each: `it.each(rounds(1))`. */
export function rounds(slice: number): number[] {
  return Array.from({ length: times(slice) }, (_, at) => at + 1);
}

/** The time-out of a test whose length grows: so long for the slice. */
export function patience(milliseconds: number): number {
  return milliseconds * factor;
}
