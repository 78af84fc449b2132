import { hash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock } from './clock.ts';

/** The random bytes that uuid takes for one id. */
const ID_BYTES = 16;

/** The source of randomness, so that a test can hold it. All of it is cryptographic. */
export interface Random {
  /** A UUIDv7; ids made one after the other by one process sort in that order. */
  id(): string;
  bytes(size: number): Buffer;
  fill(buffer: Buffer): Buffer;
}

export function systemRandom(clock: Clock): Random {
  let last = 0;
  let sequence = 0;
  // a call of the system's for each id would take most of its time
  const drawn = Buffer.alloc(ID_BYTES * 256);
  let used = drawn.length;
  const next = () => {
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += ID_BYTES;
    return drawn.subarray(used - ID_BYTES, used);
  };
  return {
    id() {
      const msecs = Math.max(clock.now().getTime(), last);
      if (msecs === last) sequence += 1;
      else sequence = randomBytes(2).readUInt16BE();
      last = msecs;
      return v7({ msecs, seq: sequence, random: next() });
    },
    bytes: (size) => randomBytes(size),
    fill: (buffer) => randomFillSync(buffer),
  };
}

/** The id of something that happened at a moment, where no {@link Random} is at hand. */
export const idAt = (at: Date): string => v7({ msecs: at.getTime() });

/** An id derived from a moment and a text: the same in every process and every time. */
export const idFrom = (at: Date, text: string): string =>
  v7({ msecs: at.getTime(), random: hash('sha256', text, 'buffer').subarray(0, 16) });

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Uniform base62 text: bytes past the last whole multiple of 62 are thrown away. */
export function base62(random: Random, length: number): string {
  let out = '';
  while (out.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < 248 && out.length < length) out += BASE62[byte % 62];
    }
  }
  return out;
}

export function toBase62(value: number, width: number): string {
  let rest = value;
  let out = '';
  while (rest > 0) {
    out = BASE62[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out.padStart(width, '0');
}
