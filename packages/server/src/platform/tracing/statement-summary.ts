const LITERALS = /'(?:[^']|'')*'/g;
// the word after a "from" may be a function, as in extract(epoch from now())
const TABLE = /\b(?:(?:into|update|table|copy)\s+([a-z_][\w.]*)|from\s+([a-z_][\w.]*)(?!\s*\(|[\w.]))/i;

/** What a statement does, in two words: `select serials`. Never its text: that of a COPY holds what was searched for. */
export function summaryOf(text: string): string {
  const words = text.replaceAll(LITERALS, '').replaceAll('"', '');
  const first = /^\s*([a-z]+)/i.exec(words)?.[1]?.toLowerCase() ?? 'statement';
  const operation =
    first === 'with' ? (/\b(insert|update|delete)\b/i.exec(words)?.[1]?.toLowerCase() ?? 'select') : first;
  const [, written, read] = TABLE.exec(words) ?? [];
  const table = written ?? read;
  return table ? `${operation} ${table}` : operation;
}
