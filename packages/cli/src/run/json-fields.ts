import { commands } from '#commands/index.ts';
import type { Command } from '#define/command.ts';
import { fieldsOf } from '#define/fields.ts';
import { EVERYWHERE, optionsOf } from '#define/options.ts';

/**
 * Takes `--json id,name` as gh does: where every name is a field of the command, and the command does not need the word as an argument;
 * and where the command could not take it as one, so that a wrong name is answered with the right ones.
 */
export async function withFields(words: readonly string[]): Promise<string[]> {
  const command = commandOf(words);
  const at = words.findIndex((word, at) => word === '--json' && /^[a-z]/.test(words[at + 1] ?? ''));
  if (!command || at === -1) return [...words];
  const names = words[at + 1] as string;
  const known = (await fieldsOf(command)) ?? [];
  const areFields = names.split(',').every((name) => known.includes(name));
  if (!areFields && argumentsIn(words, command) <= mostOf(command)) return [...words];
  const without = [...words.slice(0, at), ...words.slice(at + 2)];
  const needed = command.args.filter(([name]) => name.startsWith('<')).length;
  // nothing is called by several fields: without what it needs, that is what is missing
  if (argumentsIn(without, command) < needed && !(areFields && names.includes(','))) return [...words];
  return [...words.slice(0, at), '--fields', names, ...words.slice(at + 2)];
}

function commandOf([first, second]: readonly string[]): Command | undefined {
  return commands.find(({ path }) => path === `${first} ${second}`) ?? commands.find(({ path }) => path === first);
}

const mostOf = ({ args }: Command): number =>
  args.some(([name]) => name.includes('...')) ? Number.POSITIVE_INFINITY : args.length;

/** How many words are arguments of the command: no options, and no values of options. */
function argumentsIn(words: readonly string[], command: Command): number {
  const valued = new Set(
    [...optionsOf(command), ...EVERYWHERE]
      .filter(({ flags }) => flags.includes(' <'))
      .flatMap(({ flags }) => flags.replace(/ <.*/s, '').split(', ')),
  );
  let count = 0;
  for (let at = command.path.split(' ').length; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === '--') return count + words.length - at - 1;
    if (!word.startsWith('-') || word === '-') count += 1;
    else if (valued.has(word)) at += 1;
  }
  return count;
}
