import type { Random } from '../../platform/random.ts';

/** 32 symbols, none of which reads like another: no 0 O 1 I. */
export const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const BLOCK = 4;
const BLOCKS = 4;

/** How a code is looked up: without regard to case, white space and dashes. */
export function serialKey(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\u2212]+/gu, '');
}

/**
 * Codes of four blocks of four. A prefix stands in place of the first block. Five bits of a cryptographic byte make a
 * symbol: 80 bits a code, 60 with a prefix.
 */
export class CodeMaker {
  readonly #random: Random;
  readonly #prefix: string | null;
  readonly #width: number;
  readonly #pool: Buffer;
  #used: number;

  /** @param prefix four characters of A-Z and 0-9, upper case, or null. */
  constructor(random: Random, prefix: string | null) {
    this.#random = random;
    this.#prefix = prefix;
    this.#width = BLOCK * (prefix ? BLOCKS - 1 : BLOCKS);
    this.#pool = Buffer.alloc(this.#width * 1024);
    this.#used = this.#pool.length;
  }

  next(): string {
    if (this.#used === this.#pool.length) {
      this.#random.fill(this.#pool);
      this.#used = 0;
    }
    let code = this.#prefix ?? '';
    for (let i = 0; i < this.#width; i += 1) {
      if (i % BLOCK === 0 && code !== '') code += '-';
      code += ALPHABET[(this.#pool[this.#used + i] as number) & 31];
    }
    this.#used += this.#width;
    return code;
  }
}
