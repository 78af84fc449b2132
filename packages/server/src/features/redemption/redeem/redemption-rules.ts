import { type Obstacle, obstacleOf, type SerialState } from '#features/serials';
import { AppError, type ErrorCode } from '#platform/errors.ts';
import { startInWords } from '#platform/time/dates-in-words.ts';

const SUSPENDED: [ErrorCode, string] = ['serial_revoked', 'This license has been suspended.'];

/** How each obstacle is answered on the redemption page. */
const answers: Record<Exclude<Obstacle, 'not_yet_valid'>, [ErrorCode, message: string]> = {
  revoked: SUSPENDED,
  product_deleted: SUSPENDED,
  developer_deleted: [
    'developer_gone',
    'The maker of this plugin has closed their account, so this serial can no longer be redeemed. Ask the shop that sold it for a refund.',
  ],
  draft: ['product_is_draft', 'This product is not available yet.'],
  expired: ['serial_expired', 'This serial has expired and can no longer be redeemed.'],
};

/**
 * @throws {AppError} for the first obstacle, if there is one. A serial that was redeemed before can only be revoked.
 * @param serial with its developer's time zone: dates in messages to the holder of the code are in that zone.
 */
export function assertRedeemable(serial: SerialState & { time_zone: string }, now: Date): void {
  const obstacle = obstacleOf(serial, now);
  if (obstacle === null) return;
  if (obstacle !== 'not_yet_valid') throw new AppError(...answers[obstacle]);
  const opensAt = serial.promo_start as Date;
  throw new AppError(
    'serial_not_yet_valid',
    `This serial can be redeemed from ${startInWords(opensAt, serial.time_zone)}.`,
    { opensAt },
  );
}
