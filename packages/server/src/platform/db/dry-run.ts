/** Rolls a transaction back without being an error. */
class DryRunEnd extends Error {}

/**
 * Runs a use case for real, and takes everything back at its end when it was only asked what would happen: the answer is
 * computed by the same statements either way. `work` calls `end` last inside its transaction.
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
