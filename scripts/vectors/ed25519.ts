/** Signatures, good and bad, that every library has to judge alike, whatever it does by itself. */
import { createHash, sign } from 'node:crypto';
import { current, retired } from './keys.ts';

interface Case {
  name: string;
  key_hex: string;
  message_hex: string;
  signature_hex: string;
  valid: boolean;
}

/** The order of the group. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
const PRIME = 2n ** 255n - 19n;

/** Numbers are written with the least significant byte first. */
const numberOf = (bytes: Buffer) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse();
const keyOf = (key: typeof current) => Buffer.from(key.x, 'base64url');

const message = Buffer.from('A license of Röhre 2');
const key = keyOf(current);
const good = sign(null, message, current.privateKey);
const [point, scalar] = [good.subarray(0, 32), good.subarray(32)];

/** The points that anything is a signature for: the neutral one and those of order 2, 4 and 8, with both signs. */
const small = [
  bytesOf(1n),
  bytesOf(PRIME - 1n),
  bytesOf(0n),
  Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'),
  Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex'),
];
const spelledAbove = [bytesOf(PRIME), bytesOf(PRIME + 1n)];
const withSign = (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 31), Buffer.from([(bytes[31] as number) | 0x80])]);

/** The S that makes up for a neutral R: the key's own multiple of the hash. */
function scalarFor(first: Buffer): Buffer {
  const seed = current.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const half = createHash('sha512').update(seed).digest().subarray(0, 32);
  half[0] = (half[0] as number) & 248;
  half[31] = ((half[31] as number) & 127) | 64;
  const hash = createHash('sha512').update(first).update(key).update(message).digest();
  return bytesOf((numberOf(hash) * numberOf(half)) % ORDER);
}

const of = (
  name: string,
  valid: boolean,
  parts: { key?: Buffer; message?: Buffer; signature?: Buffer } = {},
): Case => ({
  name,
  key_hex: (parts.key ?? key).toString('hex'),
  message_hex: (parts.message ?? message).toString('hex'),
  signature_hex: (parts.signature ?? good).toString('hex'),
  valid,
});
const joined = (...parts: Buffer[]) => Buffer.concat(parts);
const flipped = (bytes: Buffer, bit: number) => {
  const copy = Buffer.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7));
  return copy;
};

const cases: Case[] = [
  of('a signature', true),
  of('of the empty message', true, {
    message: Buffer.alloc(0),
    signature: sign(null, Buffer.alloc(0), current.privateKey),
  }),
  of('of bytes that are no text', true, {
    message: Buffer.from([0, 255, 128, 0]),
    signature: sign(null, Buffer.from([0, 255, 128, 0]), current.privateKey),
  }),
  {
    name: 'RFC 8032, 7.1, test 2',
    key_hex: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message_hex: '72',
    signature_hex:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    valid: true,
  },

  of('another message', false, { message: Buffer.from('A license of Röhre 3') }),
  of('another key', false, { key: keyOf(retired) }),
  of('a bit of R', false, { signature: flipped(good, 3) }),
  of('the sign of R', false, { signature: flipped(good, 255) }),
  of('a bit of S', false, { signature: flipped(good, 260) }),
  of('the sign of the key', false, { key: flipped(key, 255) }),
  of('nothing but zeros', false, { signature: Buffer.alloc(64) }),
  of('a short signature', false, { signature: good.subarray(0, 63) }),
  of('a long signature', false, { signature: joined(good, Buffer.alloc(1)) }),
  of('no signature', false, { signature: Buffer.alloc(0) }),
  of('a short key', false, { key: key.subarray(0, 31) }),
  of('a long key', false, { key: joined(key, Buffer.alloc(1)) }),

  of('S with the order added, as another spelling', false, {
    signature: joined(point, bytesOf(numberOf(scalar) + ORDER)),
  }),
  of('S with seven times the order added', false, { signature: joined(point, bytesOf(numberOf(scalar) + 7n * ORDER)) }),
  of('S that is the order', false, { signature: joined(point, bytesOf(ORDER)) }),
  of('the greatest S', false, { signature: joined(point, Buffer.alloc(32, 255)) }),
  of('R and S in the other order', false, { signature: joined(scalar, point) }),
  of('a neutral R with the S that fits it', false, { signature: joined(bytesOf(1n), scalarFor(bytesOf(1n))) }),
  ...[...small, ...spelledAbove].flatMap((each, index) => [
    of(`key of small order ${index}, R the same, S zero`, false, { key: each, signature: joined(each, bytesOf(0n)) }),
    of(`key of small order ${index} with its sign, a neutral R, S zero`, false, {
      key: withSign(each),
      signature: joined(bytesOf(1n), bytesOf(0n)),
    }),
  ]),
];

export const ed25519 = {
  about: 'Made by scripts/vectors.ts. The keys are for tests only. All bytes are in hexadecimal.',
  cases,
};
