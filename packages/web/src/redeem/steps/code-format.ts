const GENERATED = 16;
const GROUP = 4;

const BETWEEN = /[\s\p{Pd}\u2212]/gu;
/** Invisible characters from web pages and emails: zero-width spaces, soft hyphens, direction marks. */
const UNSEEN = /\p{Cf}/gu;

/**
 * Formats what was typed or pasted for the field: our own codes in four blocks of four, whatever the case, spaces and
 * dashes. Codes of any other shape stay as they are, because a developer may have brought their own.
 */
export function formatCode(typed: string): string {
  const seen = typed.replace(UNSEEN, '');
  const bare = seen.replace(BETWEEN, '');
  if (bare.length > GENERATED || !/^[0-9A-Za-z]*$/.test(bare)) return seen.trimStart();
  return (
    bare
      .toUpperCase()
      .match(new RegExp(`.{1,${GROUP}}`, 'g'))
      ?.join('-') ?? ''
  );
}

/** The caret's position after formatting: after the same characters as before. */
export function caretAfter(typed: string, caret: number, formatted: string): number {
  const signs = typed.slice(0, caret).replace(UNSEEN, '').replace(BETWEEN, '').length;
  if (formatted === typed) return caret;
  let seen = 0;
  for (let at = 0; at < formatted.length; at += 1) {
    if (seen === signs) return at;
    if (formatted[at] !== '-') seen += 1;
  }
  return formatted.length;
}

/** The blocks that a code is displayed in. */
export function blocksOf(code: string): string[] {
  return code.split('-');
}
