import { isUtf8 } from 'node:buffer';

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** Delimiters by the names that people and parameters give them. */
export const delimiterNames = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
export type DelimiterName = keyof typeof delimiterNames;

/** How a file of lines is written. */
export interface Dialect {
  encoding: Encoding;
  delimiter: DelimiterName;
}

/** Enough to see some hundred lines. */
export const SAMPLE = 64 * 1024;
/** A zero in every second byte of this much of the sample is UTF-16; one in any other place is no text at all. */
const MOSTLY = 0.4;

/** The encoding that the first bytes name, or show. Null: only the rest can show whether it is UTF-8 or Windows-1252. */
export function markedEncoding(sample: Buffer): Encoding | null {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  if (sample.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8';
  const [even, odd] = zerosOf(sample);
  const half = sample.length / 2;
  if (odd > half * MOSTLY && even === 0) return 'utf-16le';
  if (even > half * MOSTLY && odd === 0) return 'utf-16be';
  return null;
}

/** Whether bytes cannot be the text of a file: a zero is in no text but UTF-16. */
export function isBinary(sample: Buffer): boolean {
  return markedEncoding(sample)?.startsWith('utf-16') ? false : sample.includes(0);
}

function zerosOf(sample: Buffer): [even: number, odd: number] {
  const zeros: [number, number] = [0, 0];
  for (let at = sample.indexOf(0); at >= 0; at = sample.indexOf(0, at + 1)) zeros[at & 1 ? 1 : 0] += 1;
  return zeros;
}

/** Sees all bytes of a file on their way and shows its encoding, for which one byte at the very end can be decisive. */
export class EncodingProbe {
  #marked: Encoding | null | undefined;
  #utf8 = true;
  #held: Buffer = Buffer.alloc(0);

  see(chunk: Buffer): void {
    if (this.#marked === undefined) this.#marked = markedEncoding(chunk.subarray(0, SAMPLE));
    if (this.#marked?.startsWith('utf-16') || !this.#utf8) return;
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    const end = wholeCharacters(bytes);
    this.#utf8 = isUtf8(bytes.subarray(0, end));
    this.#held = Buffer.from(bytes.subarray(end));
  }

  /** Everything has been seen. */
  get encoding(): Encoding {
    if (this.#marked?.startsWith('utf-16')) return this.#marked;
    return this.#utf8 && this.#held.length === 0 ? 'utf-8' : 'windows-1252';
  }
}

/** The start of a last character that is cut off by the end of these bytes; their length when none is. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const SEP = /^\ufeff?"?sep=([,;\t|])"?[ \t]*(?:\n|$)/i;
const NAMES = Object.entries(delimiterNames) as [DelimiterName, string][];

/** The line `sep=;` that some spreadsheets begin with, which is no record. */
export function separatorLine(text: string): { delimiter: DelimiterName; length: number } | null {
  const found = SEP.exec(text);
  if (!found) return null;
  const name = NAMES.find(([, sign]) => sign === found[1])?.[0];
  return name ? { delimiter: name, length: found[0].length } : null;
}

const LOOKED_AT = 20;

/**
 * Finds the delimiter of cells: the sign that most lines have as often as the first line. Among several, it is the
 * one that makes more cells.
 * @param text the beginning of the file, with `\n` at the ends of lines
 */
export function delimiterOf(text: string): DelimiterName {
  let best: { name: DelimiterName; agree: number; cells: number } = { name: 'comma', agree: 0, cells: 1 };
  for (const [name, sign] of NAMES) {
    const counts = cellCounts(text, sign);
    const cells = counts[0] ?? 1;
    if (cells < 2) continue;
    const agree = counts.filter((count) => count === cells).length / counts.length;
    const better = agree > 0.5 === best.agree > 0.5 ? cells > best.cells : agree > best.agree;
    if (better) best = { name, agree, cells };
  }
  return best.name;
}

/** How many cells the first lines have; quoted signs do not count, and lines without anything are no lines. */
function cellCounts(text: string, sign: string): number[] {
  const counts: number[] = [];
  let [cells, quoted, empty] = [1, false, true];
  const end = () => {
    if (!empty) counts.push(cells);
    [cells, empty] = [1, true];
  };
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (letter === '\n') {
      end();
      if (counts.length === LOOKED_AT) return counts;
      continue;
    } else if (letter === sign) cells += 1;
    if (letter !== sign && letter.trim() !== '') empty = false;
  }
  // the last line may be cut off
  if (counts.length === 0 && !quoted) end();
  return counts;
}
