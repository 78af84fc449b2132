/** The mark's cells that are filled. */
export const filled: ReadonlySet<number> = new Set([0, 2, 3, 5, 6, 8, 9, 11]);
/** The order in which the twelve cells light up: an all-interval row, so that the sequence doesn't look mechanical. */
export const rowOrder = [0, 11, 7, 4, 2, 9, 3, 8, 10, 1, 5, 6] as const;
