import { crc32 } from 'node:zlib';
import { base62, type Random, toBase62 } from '../random.ts';

const BODY = 30;
const CHECK = 6;

/**
 * A secret to hand out: prefix, 30 random base62 characters, and 6 of their CRC-32, so that a scanner can recognize a
 * leaked one offline, and a mistyped one never reaches the database.
 */
export function newCredential(prefix: string, random: Random): string {
  const body = base62(random, BODY);
  return `${prefix}${body}${checksum(body)}`;
}

export function looksLikeCredential(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + BODY + CHECK || !text.startsWith(prefix)) return false;
  const body = text.slice(prefix.length, -CHECK);
  return /^[0-9A-Za-z]+$/.test(body) && checksum(body) === text.slice(-CHECK);
}

function checksum(body: string): string {
  return toBase62(crc32(body), CHECK);
}
