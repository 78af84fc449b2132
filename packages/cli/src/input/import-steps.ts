import { setTimeout as pause } from 'node:timers/promises';
import type { ImportDetail } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { Failure } from '#exit.ts';
import { startProgress } from '#output/progress.ts';
import type { Context } from '#run/context.ts';

/** How often the server is asked how far it is. */
const ASKED_EVERY = 500;
/** While the server is at it. */
const AT_IT: ReadonlySet<ImportDetail['state']> = new Set(['checking', 'running', 'undoing']);

/** Waits until an import has ended, and shows how far it is. @throws {Failure} when it failed, or could not be taken back */
export const endOfImport = (context: Context, api: OperationClient, id: string): Promise<ImportDetail> =>
  awaited(context, api, id, 'Importing');

/** Lets all lines be tried, and waits for it. @throws {Failure} when the file cannot be read as a whole */
export async function checkOfImport(context: Context, api: OperationClient, id: string): Promise<ImportDetail> {
  context.note('Checking all of its lines …');
  const begun = await api.checkImport({ path: { id } }, context.call);
  return begun.state === 'checking' ? awaited(context, api, id, 'Checking') : begun;
}

async function awaited(context: Context, api: OperationClient, id: string, label: string): Promise<ImportDetail> {
  const progress = await startProgress(context, label, { unit: 'rows' });
  try {
    for (;;) {
      const found = await api.getImport({ path: { id } }, context.call);
      if (!AT_IT.has(found.state)) {
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
