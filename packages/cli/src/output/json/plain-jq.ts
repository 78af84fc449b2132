/**
 * The result for one row of a program so plain that jq would be a detour, which takes most of the time of a long list.
 */
type Plain = { kind: 'length' } | { kind: 'path'; names: string[] };

const PATH = /^\.\[\]\s*(?:\|\s*)?((?:\.[A-Za-z_]\w*)+)$/;

/** `length`, and a field of each row, such as `.[].code` and `.[] | .customer.email`. */
export function plainOf(program: string): Plain | undefined {
  const text = program.trim();
  if (text === 'length') return { kind: 'length' };
  const [, names] = PATH.exec(text) ?? [];
  return names === undefined ? undefined : { kind: 'path', names: names.slice(1).split('.') };
}

/** These fields as jq prints them; undefined for what it alone knows how to print or to refuse. */
export function plainLines(rows: readonly unknown[], names: readonly string[]): string | undefined {
  let text = '';
  for (const row of rows) {
    let value = row;
    for (const name of names) {
      if (value === null) break;
      if (typeof value !== 'object' || Array.isArray(value)) return undefined;
      value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null;
    }
    if (typeof value !== 'string' && typeof value !== 'boolean' && value !== null && !Number.isSafeInteger(value))
      return undefined;
    text += `${value}\n`;
  }
  return text;
}
