import { createHash } from 'node:crypto';

/**
 * The id of the email to one customer about one version: the same however often it is asked for, so that it is queued once. A
 * UUIDv7 of the moment at which the emails began, because the log of emails is in the order of its ids.
 */
export function emailIdOf(startedAt: Date, versionId: string, customerId: string): string {
  const time = startedAt.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(`new version ${versionId} ${customerId}`).digest('hex');
  const variant = (8 + (Number.parseInt(hash.charAt(3), 16) % 4)).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hash.slice(0, 3)}`,
    `${variant}${hash.slice(4, 7)}`,
    hash.slice(7, 19),
  ].join('-');
}
