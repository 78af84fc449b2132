/** Rolls a transaction back without being an error. */
class DryRunEnd extends Error {}

/**
 * Runs a use case for real, and rolls it back at the end if it is a dry run, so that the same statements compute the
 * result either way. `work` calls `end` last inside its transaction.
 */
export async function dryRunnable(dryRun: boolean, work: (end: () => void) => Promise<unknown>): Promise<void> {
  try {
    await work(() => {
      if (dryRun) throw new DryRunEnd();
    });
  } catch (error) {
    if (!(error instanceof DryRunEnd)) throw error;
  }
}
