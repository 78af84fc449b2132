import { AppError } from '#platform/errors.ts';

export interface BatchDates {
  promoStart: Date | null;
  promoExpires: Date | null;
  expiresAt: Date | null;
}

/**
 * @param kept dates that a batch has already and keeps: those may be over, and in an order that was allowed before.
 * @throws {AppError} dates_out_of_order for dates that nobody can give a batch at `now`.
 */
export function checkDateOrder(dates: BatchDates, now: Date, kept: readonly (keyof BatchDates)[] = []): void {
  const { promoStart, promoExpires, expiresAt } = dates;
  const stays = (date: keyof BatchDates) => kept.includes(date);
  if (expiresAt && expiresAt <= now && !stays('expiresAt')) {
    throw outOfOrder('expires_at', 'The expiry date must be in the future.');
  }
  if (promoStart && promoExpires && promoExpires <= promoStart && !(stays('promoStart') && stays('promoExpires'))) {
    throw outOfOrder(stays('promoExpires') ? 'promo_start' : 'promo_expires', 'The promo must end after it starts.');
  }
  if (promoStart && expiresAt && expiresAt <= promoStart && !(stays('promoStart') && stays('expiresAt'))) {
    throw outOfOrder(
      stays('expiresAt') ? 'promo_start' : 'expires_at',
      'The serials must expire after the promo starts.',
    );
  }
  if (promoExpires && promoExpires <= now && !stays('promoExpires')) {
    throw outOfOrder('promo_expires', 'The promo must end in the future.');
  }
}

function outOfOrder(path: string, message: string): AppError {
  return new AppError('dates_out_of_order', message, { errors: [{ path, message }] });
}
