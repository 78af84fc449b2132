import { about, commands } from '#commands/index.ts';
import { profileNames } from '#config/store.ts';
import type { Command } from '#define/command.ts';
import { fieldsOf } from '#define/fields.ts';
import { EVERYWHERE, nameOf, type OptionSpec, optionsOf } from '#define/options.ts';
import type { Io } from '#io.ts';
import { commonOption, leadingOptions } from '#run/leading-options.ts';
import { shellNames, shells } from './shells.ts';
import { topics } from './topics.ts';

/** A word that could come next, and its description. */
export interface Candidate {
  word: string;
  about: string;
}

/** The words that could come next, or a file name. */
export type Candidates = Candidate[] | 'files';

const BUILT_IN: Candidate[] = [
  { word: 'completion', about: `Print the completion script for ${shellNames}` },
  { word: 'help', about: 'Help for a command or a topic' },
];

/** Candidates for the last of these words after `tonerow`, which may be incomplete; after `--state=`, for its value. */
export async function complete(given: string[], env: Io['env']): Promise<Candidates> {
  const words = withoutSplits(given);
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = await candidatesFor(before, current, env);
  if (found === 'files') return found;
  const begun = /^--[\w-]+=/.test(current) ? current.slice(current.indexOf('=') + 1) : current;
  return found.filter(({ word }) => word.startsWith(begun));
}

/** bash splits `--state=open` into three words, and `serials:write` too. */
function withoutSplits(words: string[]): string[] {
  const joined: string[] = [];
  words.forEach((word, at) => {
    const isPart = (each: string | undefined) => each === '=' || each === ':';
    if (at > 0 && (isPart(word) || isPart(words[at - 1]))) joined.push(`${joined.pop()}${word}`);
    else joined.push(word);
  });
  return joined;
}

async function candidatesFor(before: string[], current: string, env: Io['env']): Promise<Candidates> {
  const { leading, rest } = leadingOptions(before);
  const common = rest.length === 1 ? commonOption(rest[0]) : undefined;
  if (common) return valuesFor(undefined, common, current, env);
  if (leading.length > 0) return candidatesFor(rest, current, env);
  const [head, next] = before;
  if (head === undefined && current.startsWith('-'))
    return EVERYWHERE.map(({ flags, about }) => ({ word: nameOf(flags), about }));
  if (head === undefined) return [...heads(), ...BUILT_IN];
  if (head === 'completion') return before.length === 1 ? shells.map((word) => ({ word, about: '' })) : [];
  if (head === 'help') return helpAfter(before.slice(1));
  const command = commands.find(({ path }) => path === head) ?? commands.find(({ path }) => path === `${head} ${next}`);
  if (!command) return before.length === 1 ? under(head) : [];
  return within(command, before.slice(command.path.split(' ').length), current, env);
}

function heads(): Candidate[] {
  const names = new Set(commands.map(({ path }) => path.split(' ')[0] as string));
  return [...names].sort().map((word) => ({
    word,
    about: commands.find(({ path }) => path === word)?.summary ?? about[word] ?? '',
  }));
}

function under(head: string): Candidate[] {
  return commands
    .filter(({ path }) => path.startsWith(`${head} `))
    .map(({ path, summary }) => ({ word: path.split(' ')[1] as string, about: summary }));
}

function helpAfter(words: string[]): Candidate[] {
  if (words.length === 0) return [...heads(), ...Object.keys(topics).map((word) => ({ word, about: 'topic' }))];
  return words.length === 1 ? under(words[0] as string) : [];
}

/** After the command itself: an option, the value of one, or an argument. */
async function within(command: Command, before: string[], current: string, env: Io['env']): Promise<Candidates> {
  const options = optionsOf(command);
  const byName = (name: string | undefined) => options.find(({ flags }) => nameOf(flags) === name);
  const takesValue = (option: OptionSpec | undefined) => option?.flags.includes('<') === true;
  if (current.startsWith('--') && current.includes('=')) {
    const name = current.slice(0, current.indexOf('='));
    const option = name === '--json' ? byName('--fields') : byName(name);
    return option ? valuesFor(command, option, current.slice(name.length + 1), env) : [];
  }
  const last = byName(before.at(-1));
  if (last && takesValue(last)) return valuesFor(command, last, current, env);
  if (current.startsWith('-')) {
    const fresh = options.filter(({ flags, repeatable }) => repeatable || !before.includes(nameOf(flags)));
    return [...fresh.map(({ flags, about }) => ({ word: nameOf(flags), about })), { word: '--help', about: 'Help' }];
  }
  const args = before.filter((word, at) => !word.startsWith('-') && !takesValue(byName(before[at - 1])));
  const arg = command.args[args.length] ?? command.args.findLast(([name]) => name.includes('...'));
  return arg ? wordsOrFiles(arg[0], arg[2]) : [];
}

async function valuesFor(
  command: Command | undefined,
  option: OptionSpec,
  begun: string,
  env: Io['env'],
): Promise<Candidates> {
  const name = nameOf(option.flags);
  const words = (values: readonly string[]) => values.map((word) => ({ word, about: '' }));
  if (name === '--profile' || option.flags.endsWith('<profile>')) return words(await profileNames(env));
  // one more name after those already typed
  if (name === '--fields' && command) {
    const kept = begun.slice(0, begun.lastIndexOf(',') + 1);
    const named = kept.split(',');
    return words((await fieldsOf(command))?.filter((each) => !named.includes(each)).map((each) => kept + each) ?? []);
  }
  return wordsOrFiles(option.flags, option.values);
}

function wordsOrFiles(flags: string, values: readonly string[] | undefined): Candidates {
  if (values) return values.map((word) => ({ word, about: '' }));
  return /<([\w-]*file|pem)>/.test(flags) ? 'files' : [];
}
