import { setTimeout as pause } from 'node:timers/promises';
import type { ImportDetail } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure } from '#exit.ts';
import { startProgress } from '#output/progress.ts';
import type { Context } from '#run/context.ts';

/** How often the server is asked how far it is. */
const ASKED_EVERY = 500;

/** Waits until an import has ended, and shows how far it is. @throws {Failure} when it failed, or could not be taken back */
export async function endOfImport(context: Context, api: OperationClient, id: string): Promise<ImportDetail> {
  const progress = await startProgress(context, 'Importing', { unit: 'rows' });
  try {
    for (;;) {
      const found = await api.getImport({ path: { id } }, context.call);
      if (found.state !== 'running' && found.state !== 'undoing') {
        if (found.error !== null) throw new Failure(found.error);
        return found;
      }
      progress.update(found.lines);
      await pause(ASKED_EVERY, undefined, { signal: context.io.signal });
    }
  } finally {
    await progress.stop();
  }
}
