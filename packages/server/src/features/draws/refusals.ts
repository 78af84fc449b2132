import { AppError } from '#platform/errors.ts';

/** The reference is of something else. */
export const reused = (reference: string) =>
  new AppError(
    'reference_reused',
    `The reference "${reference}" belongs to another draw. Repeat it with the same body, or use another reference.`,
  );

/** The developer has closed the stock to the reseller for now. */
export const paused = () =>
  new AppError('partner_paused', 'The developer has paused this partnership, so no codes can be taken for now.');
