import { crc32 } from 'node:zlib';
import { base62, type Random, toBase62 } from '../../platform/random.ts';

export const ACCESS_TOKEN_PREFIX = 'tnr_pat_';

/** `tnr_pat_` + 30 random characters + 6 of their CRC-32, so that a scanner can tell a leaked one without asking. */
export function newAccessToken(random: Random): string {
  const body = base62(random, 30);
  return `${ACCESS_TOKEN_PREFIX}${body}${checksum(body)}`;
}

/** False for anything that cannot be one, before the database is asked. */
export function looksLikeAccessToken(text: string): boolean {
  const match = /^tnr_pat_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checksum(match[1] as string) === match[2];
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6);
}
