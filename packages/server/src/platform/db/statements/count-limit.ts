/** A search that finds more is counted no further (decision 0013). */
export const COUNT_LIMIT = 10_000;

/**
 * The total of a list, and whether it is exact.
 * @param found how many there are, up to one more than are counted
 * @param whole all of them were counted, however many there are
 */
export const countedTo = (found: number, whole = false) => {
  const exact = whole || found <= COUNT_LIMIT;
  return { total: exact ? found : COUNT_LIMIT, total_exact: exact };
};
