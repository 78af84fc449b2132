import { Command as Commander, type CommanderError, Option } from 'commander';
import { about, commands } from '#commands/index.ts';
import { currentProfile, readProfile } from '#config/store.ts';
import type { Command } from '#define/command.ts';
import { EVERYWHERE, envOf, optionsOf } from '#define/options.ts';
import { UsageError } from '#exit.ts';
import { byGroup, groupOf } from '#help/groups.ts';
import { completionScript, type Shell, shellNames, shells } from '#help/shells.ts';
import { topics } from '#help/topics.ts';
import { withExamples } from '#help/with-examples.ts';
import { nearest } from '#input/nearest-word.ts';
import { type Io, write } from '#io.ts';
import { VERSION } from '#version.ts';
import { DEFAULT_URL } from './context.ts';
import { run } from './run-command.ts';

/**
 * The tree of commands that these words can reach; its help and errors go to `io`. What a noun that is not among them holds is left
 * out: there are hundreds of commands, and most of a start would go into their options.
 */
export async function program(io: Io, words: readonly string[]): Promise<Commander> {
  const server = await ownServer(io);
  const root = new Commander('tonerow')
    .description('Licensing and serial numbers for audio plugins, from the terminal.')
    .version(VERSION)
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExamples:\n  tonerow login\n  tonerow products create "Prism Delay" --price 99\n  tonerow serials generate --product "Prism Delay" --quantity 1000 --out serials.csv\n\nMore: tonerow help exit-codes, environment, formatting or guides',
    );
  configure(root, io);
  const groups = new Map<string, Commander>();
  for (const command of commands) {
    const names = command.path.split(' ');
    const leaf = names.at(-1) as string;
    const noun = names.length === 1 ? undefined : (names[0] as string);
    const parent = noun === undefined ? root : nounOf(root, groups, noun, io);
    if (words.includes(noun ?? leaf)) add(parent.command(leaf), command, io, server);
    else if (noun === undefined) root.command(leaf).description(command.summary);
  }
  for (const [noun, group] of groups) if (words.includes(noun)) showExamples(group, noun, server);
  refuseUnknown(groups, words);
  addHelp(root, io, server);
  addCompletion(root, io);
  inGroups(root);
  return root;
}

/** Shows one example for each of a noun's first commands. */
function showExamples(group: Commander, noun: string, server: string): void {
  const shown = commands.filter(({ path }) => path.startsWith(`${noun} `)).slice(0, 3);
  withExamples(
    group,
    shown.map(({ examples }) => examples[0] as string),
    server,
  );
}

/** Refuses an unknown command with --help, for which commander would show the help of the noun. */
function refuseUnknown(groups: ReadonlyMap<string, Commander>, words: readonly string[]): void {
  const [noun = '', command = ''] = words;
  const group = groups.get(noun);
  const helps = words.includes('--help') || words.includes('-h');
  if (!group || !helps || command === '' || command.startsWith('-')) return;
  const names = group.commands.map((each) => each.name());
  if (names.includes(command)) return;
  const meant = nearest(command, names);
  throw new UsageError(
    `There is no command "${noun} ${command}".${meant ? ` Did you mean "tonerow ${noun} ${meant}"?` : ''}`,
  );
}

/** The help shows the groups in the order in which their first commands come. */
function inGroups(root: Commander): void {
  for (const command of root.commands) command.helpGroup(groupOf(command.name()) ?? 'Commands:');
  const place = (command: Commander) => byGroup.indexOf(command.name()) + 1 || byGroup.length + 1;
  (root.commands as Commander[]).sort((a, b) => place(a) - place(b));
}

function nounOf(root: Commander, groups: Map<string, Commander>, name: string, io: Io): Commander {
  let group = groups.get(name);
  if (!group) {
    group = root
      .command(name)
      .description(about[name] ?? name)
      .helpCommand(false);
    configure(group, io);
    groups.set(name, group);
  }
  return group;
}

/** Below what a command has of its own. */
const COMMON = 'Common options:';

function add(target: Commander, command: Command, io: Io, server: string): void {
  configure(target, io);
  target.description(command.summary).addHelpOption(new Option('-h, --help', 'show this help').helpGroup(COMMON));
  for (const [name, text] of command.args) target.argument(name, text);
  if (command.args.length > 0) target.showHelpAfterError(usageOf(command));
  const lists: string[] = [];
  for (const spec of optionsOf(command)) {
    const { flags, about, fallback, repeatable } = spec;
    const option = new Option(flags, `${about}${repeatable ? ' (repeatable)' : ''}${envOf(spec)}`);
    if (EVERYWHERE.includes(spec)) option.helpGroup(COMMON);
    if (fallback !== undefined) option.default(fallback);
    // not commander's default, which the help would print as []
    if (repeatable) option.argParser((value, before: string[] = []) => [...before, value]);
    if (repeatable) lists.push(option.attributeName());
    target.addOption(option);
  }
  withExamples(target, command.examples, server);
  target.action(async (...given) => {
    const options = given[given.length - 2] as Record<string, unknown>;
    for (const list of lists) options[list] ??= [];
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    await run(command, args, options, io);
  });
}

/** The arguments of a command, shown after an error about it. */
const usageOf = ({ path, args }: Command): string =>
  [
    `Usage: tonerow ${path} ${args.map(([name]) => name).join(' ')}`,
    ...args.map(([name, text]) => `  ${name}  ${text}`),
  ].join('\n');

/** The address of the server in use, which help names. */
async function ownServer(io: Io): Promise<string> {
  const name = io.env.TONEROW_PROFILE || (await currentProfile(io.env));
  const profile = await readProfile(io.env, name).catch(() => undefined);
  return (io.env.TONEROW_URL ?? profile?.url ?? DEFAULT_URL).replace(/\/+$/, '');
}

function addHelp(root: Commander, io: Io, server: string): void {
  const help = root
    .command('help')
    .description('Show help for a command or a topic: exit-codes, environment, formatting, guides or man')
    .argument('[topic...]');
  configure(help, io);
  help.action(async (words: string[]) => {
    const name = words.join(' ');
    if (name === 'man') return write(io.stdout, (await import('#help/man-page.ts')).manPage());
    if (Object.hasOwn(topics, name)) return write(io.stdout, (topics[name] as string).replace('SERVER', server));
    let at: Commander = root;
    for (const word of words) {
      const next = at.commands.find((each) => each.name() === word);
      if (!next) throw unknownHelp(at, words, word);
      at = next;
    }
    at.outputHelp();
  });
}

function unknownHelp(at: Commander, words: string[], word: string): UsageError {
  const known = [
    ...at.commands.map((each) => each.name()),
    ...(words.length === 1 ? [...Object.keys(topics), 'man'] : []),
  ];
  const meant = nearest(word, known);
  const before = words.slice(0, words.indexOf(word)).map((each) => `${each} `);
  const hint = meant ? `Did you mean "tonerow help ${before.join('')}${meant}"?` : '"tonerow help" lists them.';
  return new UsageError(`Unknown command or topic "${words.join(' ')}". ${hint}`);
}

function addCompletion(root: Commander, io: Io): void {
  const command = root
    .command('completion')
    .description(`Print the completion script for ${shellNames}`)
    .argument('<shell>');
  configure(command, io);
  command.action(async (shell: string) => {
    if (!shells.includes(shell as Shell)) throw new UsageError(`There is completion for ${shellNames}.`);
    await write(io.stdout, completionScript(shell as Shell));
  });
}

/**
 * Silences commander for JSON. It would print its own messages next to it, and the help of a noun without a command.
 */
export function muteErrors(command: Commander): void {
  command.configureOutput({ outputError: () => undefined, writeErr: () => undefined });
  command.commands.forEach(muteErrors);
}

/** Describes for JSON what commander refused. */
export function usageError(error: CommanderError, words: readonly string[]): { message: string; hint?: string } {
  const [noun = '', verb = ''] = words;
  const command = commands.find(({ path }) => path === `${noun} ${verb}`) ?? commands.find(({ path }) => path === noun);
  if (command) return { message: withoutPrefix(error), hint: (usageOf(command).split('\n', 1)[0] as string).trim() };
  const under = commands.filter(({ path }) => path.startsWith(`${noun} `)).map(({ path }) => path.split(' ')[1]);
  if (under.length === 0) return { message: withoutPrefix(error) };
  const message = /^(-|$)/.test(verb) ? `"tonerow ${noun}" needs a command.` : withoutPrefix(error);
  return { message, hint: `Its commands are: ${under.join(', ')}.` };
}

/** As people read it, who see the line before it. */
const withoutPrefix = ({ message }: CommanderError): string => message.replace(/^error: /, '');

function configure(command: Commander, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}
