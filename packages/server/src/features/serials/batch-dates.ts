import { AppError } from '../../platform/errors.ts';

export interface BatchDates {
  promoStart: Date | null;
  promoExpires: Date | null;
  expiresAt: Date | null;
}

/** @throws {AppError} dates_out_of_order for dates that no batch made at `now` can have. */
export function checkDateOrder({ promoStart, promoExpires, expiresAt }: BatchDates, now: Date): void {
  if (expiresAt && expiresAt <= now) throw outOfOrder('expires_at', 'The expiry date must be in the future.');
  if (promoStart && promoExpires && promoExpires <= promoStart) {
    throw outOfOrder('promo_expires', 'The promo must end after it starts.');
  }
  if (promoStart && expiresAt && expiresAt <= promoStart) {
    throw outOfOrder('expires_at', 'The serials must expire after the promo starts.');
  }
  if (promoExpires && promoExpires <= now) throw outOfOrder('promo_expires', 'The promo must end in the future.');
}

function outOfOrder(path: string, message: string): AppError {
  return new AppError('dates_out_of_order', message, { errors: [{ path, message }] });
}
