import { AppError } from '../../platform/errors.ts';

/** The developer has closed the stock to the reseller for now. */
export const paused = () =>
  new AppError('partner_paused', 'The developer has paused this partnership, so no codes can be taken for now.');
