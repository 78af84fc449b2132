import { double, int64, type Value } from './values.ts';

const KEYWORDS = new Set(
  (
    'var if else do null while for break continue undefined function return true false new typeof switch case default ' +
    'reg in inline const global local include extern namespace isDefined'
  ).split(' '),
);
const OPERATORS =
  '=== !== >>>= >>> <<= >>= == != += -= *= /= %= ^= &= |= ++ -- && || << >> <= >= ; . , ( ) { } [ ] : ? = ! + - * / % ^ & | < >'.split(
    ' ',
  );

/** A script that HISE does not compile. */
export class HiseSyntaxError extends Error {
  override name = 'HiseSyntaxError';
}

/** HiseScript, word by word. What JavaScript has beyond it (=>, `, \u2026) ends in an error. */
export class Tokens {
  /** A keyword or operator as it is written, or 'identifier', 'literal', 'end'. */
  type = '';
  text = '';
  literal: Value;
  readonly #code: string;
  readonly #file: string;
  #at = 0;
  #begin = 0;

  constructor(code: string, file: string) {
    this.#code = code;
    this.#file = file;
    this.skip();
  }

  skip(): void {
    this.#skipSpace();
    this.#begin = this.#at;
    this.type = this.#next();
  }

  match(expected: string): void {
    if (this.type !== expected) this.fail(`Found ${this.type} when expecting ${expected}`);
    this.skip();
  }

  matchIf(type: string): boolean {
    if (this.type !== type) return false;
    this.skip();
    return true;
  }

  identifier(): string {
    const { text } = this;
    this.match('identifier');
    return text;
  }

  fail(message: string): never {
    const lines = this.#code.slice(0, this.#begin).split('\n');
    throw new HiseSyntaxError(`${this.#file}, line ${lines.length}: ${message}`);
  }

  #skipSpace(): void {
    const space = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    space.lastIndex = this.#at;
    this.#at += (space.exec(this.#code) as RegExpExecArray)[0].length;
  }

  #next(): string {
    if (this.#at >= this.#code.length) return 'end';
    const word = this.#take(/[A-Za-z_][A-Za-z0-9_]*/y);
    if (word) {
      this.text = word;
      return KEYWORDS.has(word) ? word : 'identifier';
    }
    const number = this.#take(/0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?/y);
    if (number) {
      this.literal = number.includes('.') ? double(Number(number)) : int64(Number(number));
      return 'literal';
    }
    const quoted = this.#take(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y);
    if (quoted) {
      this.literal = unquoted(quoted);
      return 'literal';
    }
    const operator = OPERATORS.find((each) => this.#code.startsWith(each, this.#at));
    if (!operator) this.fail(`Unexpected character '${this.#code[this.#at]}' in source`);
    this.#at += operator.length;
    return operator;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#code) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function unquoted(text: string): string {
  const named: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  return text
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_all, unit: string | undefined, char: string) =>
      unit ? String.fromCharCode(Number.parseInt(unit, 16)) : (named[char] ?? char),
    );
}
