/** Files that change what all files of a worker share and cannot put it back: each runs in a process of its own. */
export const isolated: readonly string[] = [];

/** Files that measure time: they run alone, after all others. */
export const quiet: readonly string[] = ['test/resilience/lifeline.test.ts'];
