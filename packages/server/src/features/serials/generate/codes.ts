import type { Random } from '#platform/random.ts';
import { codesIn, unwrapped } from '#platform/text/code-in-text.ts';

/** 32 symbols, none of which reads like another: no 0 O 1 I. */
export const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const BLOCK = 4;
const BLOCKS = 4;

/** How a code is looked up: ignoring case, white space, dashes and invisible characters, such as zero-width spaces. */
export function serialKey(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}\u2212]+/gu, '');
}

/**
 * Looks a code up as it was typed, and only then the few that the text around it may hold: an imported code may be one that
 * looks like text around another.
 */
export async function findInText<T>(
  text: string,
  find: (codeKey: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const typed = serialKey(text);
  const whole = await find(typed);
  if (whole !== undefined) return whole;
  // only now: nearly all texts are a code, and reading others out of one is work that a validation must not pay for
  for (const key of new Set(codesIn(text).map(serialKey))) {
    const found = key === typed ? undefined : await find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code to search for: the code in a text that has more than it, else all of the text. */
export function searchedCode(search: string): string {
  const isMore = /\s/.test(search.trim()) || unwrapped(search) !== search.trim();
  return (isMore ? codesIn(search)[0] : undefined) ?? search;
}

/**
 * Reserved for test serials: licensing answers each with a fixed status, so a real serial of this form would be
 * unusable.
 */
const TEST_KINDS = ['ACTV', 'OLDT', 'WRNG', 'EXPD', 'RVKD', 'FULL'] as const;
export type TestKind = (typeof TEST_KINDS)[number];
export const TEST_PREFIX = 'TEST';
const TEST_SERIAL = new RegExp(`^${TEST_PREFIX}(${TEST_KINDS.join('|')})[A-Z0-9]{8}$`);

/** `TEST-`, a kind, and any eight letters or digits; null for every other code. */
export function testKindOf(code: string): TestKind | null {
  const kindOf = (text: string) => (TEST_SERIAL.exec(serialKey(text))?.[1] as TestKind | undefined) ?? null;
  // asked on every call of a plugin: only what may be one is looked through
  return kindOf(code) ?? (/test/i.test(code) ? kindOf(codesIn(code)[0] ?? '') : null);
}

/**
 * Codes of four blocks of four. A prefix replaces the first block. Each symbol is five bits of a cryptographic random
 * byte: 80 bits per code, 60 with a prefix.
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
    let code = this.#make();
    while (code.startsWith(TEST_PREFIX) && testKindOf(code) !== null) code = this.#make();
    return code;
  }

  #make(): string {
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
