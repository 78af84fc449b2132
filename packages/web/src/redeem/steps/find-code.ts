/** The number of characters of a longer text that are searched. */
const LONGEST = 16_384;

const BLOCK = '[2-9A-HJ-NP-Z]{4}';
/** Our own shape: any first block, then three of four. */
const DASHED = new RegExp(`(?<![\\w-])[\\w.]{2,32}(?:[-–—−‐‑]${BLOCK}){3}(?![\\w-])`, 'gi');
const LABELLED =
  /(?:serial(?:\s*(?:number|code|no\.?))?|seriennummer|licen[sc]e(?:\s*key)?|lizenzschlüssel|num[ée]ro de s[ée]rie|n[úu]mero de serie|シリアル(?:番号|コード)?)\s*[:：#]\s*(\S{4,128})/giu;
/** Four or more words of four, from which the code is picked. */
const SPACED = new RegExp(`(?<![\\w-])${BLOCK}(?:[ \\u00a0\\t]+${BLOCK}){3,24}(?![\\w-])`, 'gi');
/** The shape of imported codes: groups of letters and digits with dashes. */
const GROUPED = /(?<![\w-])[A-Z0-9]{3,32}(?:-[A-Z0-9]{3,32}){2,16}(?![\w-])/gi;
const AROUND = '[\\s"\'`´*_~“”„‟‘’‚«»‹›()<>\\[\\]{}.,;:!?「」『』【】（）＜＞。、]+';
const WRAPPED = new RegExp(`^${AROUND.slice(0, -1)}*(\\w{2,}(?:[-–—−‐‑]${BLOCK}){3})${AROUND.slice(0, -1)}*$`, 'i');
const BEFORE = new RegExp(`^${AROUND}`, 'u');
const AFTER = new RegExp(`${AROUND}$`, 'u');

const isMixed = (found: string) => /\d/.test(found) && /[a-z]/i.test(found);
/** Four words of four letters are prose; a date or a phone number has only digits. */
const isCode = (found: string) => /\d/.test(found) || found === found.toUpperCase();

/** The text without the quotes, brackets and full stops that were copied with it. */
function bareOf(text: string): string {
  return text.replace(BEFORE, '').replace(AFTER, '');
}

/**
 * The code in a pasted text, by the rules of the server (`platform/text/code-in-text.ts`; `test/vectors/codes-in-text.json` is of
 * both). Null: there is none, or nothing besides it.
 */
export function findCode(pasted: string): string | null {
  const letter = pasted.slice(0, LONGEST).replace(/\p{Cf}/gu, '');
  const linked = letter.match(/[?&]serial=([^&\s#]+)/)?.[1];
  // parts of a URL look like codes
  const text = letter.replace(/https?:\/\/\S+/g, ' ');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
  const bare = bareOf(text);
  const found = [
    ...all(DASHED).filter(isCode),
    ...all(LABELLED)
      .filter((each) => !each.includes('@'))
      .map(bareOf),
    ...all(SPACED).flatMap(blocksOf).filter(isCode),
    // order numbers are shorter
    ...all(GROUPED)
      .filter(isMixed)
      .sort((a, b) => b.length - a.length),
    ...(linked ? [linked] : []),
    ...(/^\S{4,128}$/u.test(bare) ? [bare] : []),
  ];
  return found.find((each) => each.length >= 4 && each !== pasted.trim()) ?? null;
}

/** The four words of a line that are least like prose, then those that are next to it. */
function blocksOf(line: string): string[] {
  const words = line.split(/[ \u00a0\t]+/);
  const starts = words.slice(0, words.length - 3).map((_, at) => ({ at, score: scoreOf(words.slice(at, at + 4)) }));
  return starts.sort((a, b) => b.score - a.score || a.at - b.at).map(({ at }) => words.slice(at, at + 4).join(' '));
}

/** Words have vowels and no digits. */
function scoreOf(words: string[]): number {
  return words.reduce((sum, word) => sum + (/\d/.test(word) ? 3 : /[aeiouy]/i.test(word) ? 0 : 2), 0);
}

/** Longer than any typed code: probably a pasted email. */
export function isEmailText(text: string): boolean {
  return text.length > 24 && /\s/.test(text.trim());
}

/** One of our codes, copied with surrounding quotes or a trailing period; null for anything else. */
export function unwrapped(text: string): string | null {
  const code = text.replace(/\p{Cf}/gu, '').match(WRAPPED)?.[1] ?? null;
  return code === text.trim() ? null : code;
}
