import type { Context } from './context.ts';

const words: Record<string, string> = {
  people: 'Names and email addresses of customers',
  codes: 'Codes of serials',
};

/** Shows why fields or columns are empty: the access token may not read their data. */
export function noteWithheld(context: Context): void {
  for (const each of [...context.withheld].sort()) {
    const [, kind = '', scope] = /^(\w+); needs="([^"]+)"$/.exec(each) ?? [];
    if (scope) context.note(`${words[kind] ?? kind} are left out: the access token has no ${scope}.`);
  }
  context.withheld.clear();
}
