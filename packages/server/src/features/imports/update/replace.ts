import { AppError } from '#platform/errors.ts';
import type { ImportKind } from '../kinds.ts';
import type { ImportsHandle } from '../tables.ts';
import { keptInWords, type Taken } from '../undo/built-on.ts';
import { takeBack } from '../undo/take-back.ts';
import { markReplaced } from './update.queries.ts';

/**
 * Takes an earlier import back for the one whose file corrects it, in the same transaction: afterward both have happened, or neither.
 * @throws {AppError} import_in_use when something was built on what it brought; conflict when somebody else has taken it back
 */
export async function replace(tx: ImportsHandle, earlier: Taken, { now }: { now: Date }): Promise<void> {
  const marked = await markReplaced(tx, { developerId: earlier.developerId, id: earlier.importId }, now);
  if (!marked) throw new AppError('conflict', 'The import that this file corrects was taken back meanwhile.');
  const result = await takeBack(tx, earlier, { rest: false, now });
  if ('kept' in result) throw inUse(keptInWords(result.kept, earlier.kind));
}

const inUse = (words: string) =>
  new AppError(
    'import_in_use',
    `The import that this file corrects cannot be taken back: ${words}. Nothing was changed.`,
  );

/** Why a file of this kind cannot correct an earlier import; null when it can. */
export function whyNotReplaceable(
  earlier: { kind: ImportKind; state: string; dry_run: boolean },
  kind: ImportKind,
): string | null {
  if (earlier.dry_run) return 'That was only a trial: there is nothing to correct.';
  if (earlier.state !== 'complete') return 'Only an import that is complete can be corrected.';
  if (earlier.kind !== kind) return 'The file is of another kind than the import that it corrects.';
  return null;
}
