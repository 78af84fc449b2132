import { AppError } from '#platform/errors.ts';
import type { ImportView } from '../imports.schemas.ts';
import type { Question } from './plan.ts';

export const unanswered = (open: readonly Question[]) =>
  new AppError('import_unanswered', open.map(({ message }) => message).join(' '), {
    errors: open.map(({ id, message }) => ({ path: id, message })),
  });

export const overwritten = () =>
  new AppError('conflict', 'Somebody else has changed this import since. Look at it again.');

export function notOpen({ state }: ImportView): AppError {
  const why = {
    checking: 'is being checked',
    running: 'runs now',
    undoing: 'is being taken back',
    undone: 'was taken back',
    complete: 'is complete',
  };
  return new AppError('conflict', `This import ${why[state as keyof typeof why] ?? 'cannot be changed'}.`);
}

export function notComplete({ state, dry_run }: ImportView): AppError {
  if (dry_run) return new AppError('conflict', 'This was only a trial: there is nothing to take back.');
  const why = { running: 'still runs', undoing: 'is being taken back', undone: 'was taken back already' };
  return new AppError('conflict', `This import ${why[state as keyof typeof why] ?? 'brought nothing'}.`);
}

export const inUse = (words: string) =>
  new AppError(
    'import_in_use',
    `The import cannot be taken back as a whole: ${words}. rest=true leaves these and takes back the rest; dry_run=true names them.`,
  );
