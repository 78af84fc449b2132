import type { Random } from '#platform/random.ts';

/** Crockford's base 32: no letters that look like other characters. */
const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';

/** 60 bits, in three groups: "abcd-efgh-jkmn". */
export function newRecoveryCode(random: Random): string {
  const signs = [...random.bytes(12)].map((byte) => SIGNS[byte & 31]).join('');
  return `${signs.slice(0, 4)}-${signs.slice(4, 8)}-${signs.slice(8)}`;
}

/** The same text for every way to type one code: this is what is hashed. */
export function plainRecoveryCode(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/[il]/g, '1')
    .replace(/o/g, '0');
}
