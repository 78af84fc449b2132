const OURS = '[2-9A-HJ-NP-Z]{4}';
const SPACED = new RegExp(`(?<![\\w-])${OURS}(?:[ \\u00a0\\t]+${OURS}){3}(?![\\w-])`, 'gi');
/** Our own shape: any first block, then three of four. */
const DASHED = new RegExp(`(?<![\\w-])[\\w.]{2,}(?:[-–—−]${OURS}){3}(?![\\w-])`, 'gi');
const LABELLED =
  /(?:serial(?:\s*(?:number|code|no\.?))?|seriennummer|licen[sc]e(?:\s*key)?|lizenzschlüssel|num[ée]ro de s[ée]rie|n[úu]mero de serie|シリアル(?:番号|コード)?)\s*[:：#]\s*(\S{4,128})/gi;
/** The shape of imported codes: groups of letters and digits with dashes. */
const GROUPED = /(?<![\w-])[A-Z0-9]{3,}(?:-[A-Z0-9]{3,}){2,}(?![\w-])/gi;

/** The code in a pasted email, or null. The most likely match comes first. */
export function findCode(letter: string): string | null {
  const linked = letter.match(/[?&]serial=([^&\s#]+)/)?.[1];
  // parts of a URL look like codes
  const text = letter.replace(/https?:\/\/\S+/g, ' ');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
  // four words of four letters are prose; a date or a phone number has only digits
  const code = (found: string) => /\d/.test(found) || found === found.toUpperCase();
  const mixed = (found: string) => /\d/.test(found) && /[a-z]/i.test(found);
  return (
    all(DASHED).find(code) ??
    all(LABELLED).find((found) => !found.includes('@')) ??
    all(SPACED).find(code) ??
    // order numbers are shorter
    all(GROUPED)
      .filter(mixed)
      .sort((a, b) => b.length - a.length)[0] ??
    linked ??
    null
  );
}

/** Longer than any typed code: probably a pasted email. */
export function isEmailText(text: string): boolean {
  return text.length > 24 && /\s/.test(text.trim());
}

const AROUND = '[\\s"\'`“”„‘’«»()<>\\[\\].,;:!]*';
const WRAPPED = new RegExp(`^${AROUND}(\\w{2,}(?:[-–—−]${OURS}){3})${AROUND}$`, 'i');

/** One of our codes, copied with surrounding quotes or a trailing period; null for anything else. */
export function unwrapped(text: string): string | null {
  const code = text.replace(/\p{Cf}/gu, '').match(WRAPPED)?.[1] ?? null;
  return code === text.trim() ? null : code;
}
