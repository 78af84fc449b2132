import { EVERYWHERE, nameOf, type OptionSpec } from '#define/options.ts';

/** The option of every command that a word is, also as `--url=…` or by its letter. */
export const commonOption = (word: string | undefined): OptionSpec | undefined =>
  EVERYWHERE.find(({ flags }) => {
    const names = flags.replace(/ <.*/s, '').split(', ');
    return names.includes(word?.replace(/=.*/s, '') ?? '');
  });

export const takesValue = ({ flags }: OptionSpec): boolean => flags.includes(' <');

/** Several names after --json can be no command. */
const FIELDS = /^[a-z]\w*(,[a-z]\w*)+$/;

/** The options of every command that come before it, and all from the command on. */
export function leadingOptions(words: readonly string[]): { leading: string[]; rest: string[] } {
  let at = 0;
  for (let option = commonOption(words[at]); option; option = commonOption(words[at])) {
    const word = words[at] as string;
    const fields = nameOf(option.flags) === '--json' && FIELDS.test(words[at + 1] ?? '');
    const next = at + ((takesValue(option) && !word.includes('=')) || fields ? 2 : 1);
    if (next > words.length) break;
    at = next;
  }
  return { leading: words.slice(0, at), rest: words.slice(at) };
}

/** The same words, with the options of every command after the command, where commander reads them. */
export function commandFirst(words: readonly string[]): string[] {
  const { leading, rest } = leadingOptions(words);
  const end = rest.indexOf('--');
  const own = end === -1 ? rest : rest.slice(0, end);
  return [...own, ...leading, ...rest.slice(own.length)];
}
