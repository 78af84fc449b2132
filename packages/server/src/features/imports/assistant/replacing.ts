import type { Clock } from '#platform/clock.ts';
import type { ImportKey } from '../imports.queries.ts';
import type { ImportView } from '../imports.schemas.ts';
import type { Progress } from '../progress.ts';
import type { ImportsHandle } from '../tables.ts';
import type { Taken } from '../undo/built-on.ts';
import { replace } from '../update/replace.ts';
import type { Plan } from './plan.ts';

/**
 * Takes back the earlier import that a file corrects, before the file is imported.
 * @param before sees what it has brought
 */
export async function replacing(
  { progress, clock }: { progress: Progress; clock: Clock },
  key: ImportKey,
  { replaces }: Plan,
  before?: (tx: ImportsHandle, taken: Taken) => Promise<void>,
): Promise<((tx: ImportsHandle) => Promise<void>) | null> {
  if (!replaces) return null;
  const earlier = takenOf({ ...key, id: replaces }, await progress.find({ ...key, id: replaces }));
  return async (tx) => {
    await before?.(tx, earlier);
    await replace(tx, earlier, { now: clock.now() });
  };
}

export const takenOf = ({ developerId, id }: ImportKey, { kind, started_at }: ImportView): Taken => ({
  developerId,
  importId: id,
  kind,
  since: started_at,
});
