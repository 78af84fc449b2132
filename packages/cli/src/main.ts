import { Command as Commander, CommanderError, Option } from 'commander';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { completion, type Shell, shells } from './completion.ts';
import { Context, type Globals } from './context.ts';
import { CancelledError, EXIT, UsageError } from './exit.ts';
import { topics } from './help.ts';
import { type Io, write } from './io.ts';
import { type LostAnswer, Once } from './once.ts';
import { tell } from './output/error.ts';
import { mustBeWritable } from './output/file.ts';
import { VERSION } from './version.ts';

/** Runs one command line and answers the exit code. Touches nothing but `io`. */
export async function main(argv: string[], io: Io): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    await write(io.stdout, `${VERSION}\n`);
    return EXIT.ok;
  }
  const json = argv.some((word) => /^--(json|fields(=.*)?)$/.test(word));
  try {
    const root = program(io);
    if (json) muteErrors(root);
    await root.parseAsync(argv, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof CommanderError) {
      // help and version were asked for and have been shown; anything else was said by commander already, but as JSON
      if (error.exitCode === 0) return EXIT.ok;
      const message = error.message.replace(/^error: /, '');
      if (json) io.stderr.write(`${JSON.stringify({ code: 'usage', message })}\n`);
      return EXIT.usage;
    }
    const [reason, lost] = error instanceof LostAnswerError ? [error.cause, error.lost] : [error];
    if ((reason as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.ok;
    const told = tell(io.signal.aborted ? new CancelledError() : reason, lost);
    io.stderr.write(json ? `${JSON.stringify(told.json)}\n` : `${told.text}\n`);
    return told.code;
  }
}

/** A failure after which it is unknown whether the work was done. */
class LostAnswerError extends Error {
  readonly lost: LostAnswer;

  constructor(cause: unknown, lost: LostAnswer) {
    super('The answer was lost.', { cause });
    this.lost = lost;
  }
}

function program(io: Io): Commander {
  const root = new Commander('tonerow')
    .description('Licensing and serial numbers for audio plugins, from the terminal.')
    .version(VERSION)
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExamples:\n  tonerow login\n  tonerow products create "Prism Delay" --price 99\n  tonerow serials generate --product "Prism Delay" --quantity 1000 --out serials.csv\n\nMore: tonerow help exit-codes, tonerow help environment',
    );
  configure(root, io);
  const groups = new Map<string, Commander>();
  for (const command of commands) {
    const names = command.path.split(' ');
    const leaf = names.at(-1) as string;
    const parent = names.length === 1 ? root : groupOf(root, groups, names[0] as string, io);
    add(parent.command(leaf), command, io);
  }
  addHelp(root, io);
  addCompletion(root, io);
  return root;
}

function groupOf(root: Commander, groups: Map<string, Commander>, name: string, io: Io): Commander {
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

const about: Record<string, string> = {
  products: 'Make, change, publish and delete products',
  serials: 'Generate, import, export, revoke and watch serials',
  files: 'Upload product files and images',
  customers: 'List, import, export and erase customers',
  keys: 'Manage the keys that plugins carry',
  downloads: 'What a customer has redeemed',
  branding: 'How the redemption page looks',
  domains: 'The redemption page at a host of your own',
  mail: 'Letters, and what became of them',
  announcements: 'What everybody is told',
  machines: 'Machines that hold seats',
  license: 'Speak to the licensing API as a plugin does',
  account: 'Password, sessions and the account itself',
  tokens: 'Access tokens for scripts and CI',
  resellers: 'The resellers you work with',
};

function add(target: Commander, command: Command, io: Io): void {
  configure(target, io);
  target.description(command.summary);
  for (const [name, text] of command.args ?? []) target.argument(name, text);
  for (const [flags, text, fallback] of command.options ?? []) target.option(flags, text, fallback);
  // no default of commander's, which the help would print as []
  const lists = (command.repeatable ?? []).map(([flags, text]) =>
    new Option(flags, `${text} (repeatable)`).argParser((value, before: string[] = []) => [...before, value]),
  );
  for (const list of lists) target.addOption(list);
  if (command.once)
    target
      .option('--resume', 'when the answer of the last identical run was lost, get that answer')
      .option('--no-resume', 'do it again, although the answer of the last identical run was lost')
      .option('--idempotency-key <key>', 'a repeat with the same key within a day gets the first answer');
  if (writesFile(command)) target.option('--force', 'overwrite a file that exists');
  target
    .option('--json', 'answer in JSON')
    .option('--fields <names>', 'only these fields of the JSON, comma-separated')
    .option('--quiet', 'no talk on stderr')
    .option('--no-input', 'never ask')
    .option('--profile <name>', 'which stored sign-in')
    .option('--url <address>', 'address of the server');
  target.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`);
  target.action(async (...given) => {
    const options = given[given.length - 2] as Globals & Record<string, unknown>;
    for (const list of lists) options[list.attributeName()] ??= [];
    const args = given
      .slice(0, -2)
      .flat()
      .filter((value): value is string => typeof value === 'string');
    const context = new Context(io, {
      ...options,
      json: options.json === true || options.fields !== undefined,
      quiet: options.quiet === true,
      input: options.input !== false,
    });
    try {
      // before the server does anything that could not be kept
      for (const file of [options.out, options.report])
        if (typeof file === 'string') await mustBeWritable(file, options.force === true);
      if (command.once && options.dryRun !== true)
        context.once = await Once.begin(context, { command: command.path, args, options });
      await command.run(context, args, options);
      await context.once?.succeeded();
    } catch (error) {
      const lost = await context.once?.failed(error);
      throw lost ? new LostAnswerError(error, lost) : error;
    } finally {
      await context.close();
    }
  });
}

function writesFile({ options = [] }: Command): boolean {
  return options.some(([flags]) => /^--(out|report) /.test(flags));
}

function addHelp(root: Commander, io: Io): void {
  const help = root
    .command('help')
    .description('Help for a command, or on exit-codes or environment')
    .argument('[topic...]');
  configure(help, io);
  help.action(async (words: string[]) => {
    const name = words.join(' ');
    if (Object.hasOwn(topics, name)) return write(io.stdout, topics[name] as string);
    let at: Commander = root;
    for (const word of words) {
      const next = at.commands.find((each) => each.name() === word);
      if (!next) throw new UsageError(`There is no command "${words.join(' ')}". "tonerow help" lists them.`);
      at = next;
    }
    at.outputHelp();
  });
}

function addCompletion(root: Commander, io: Io): void {
  const command = root.command('completion').description('Completion script for bash, zsh or fish').argument('<shell>');
  configure(command, io);
  command.action(async (shell: string) => {
    if (!shells.includes(shell as Shell)) throw new UsageError('Completion is there for bash, zsh and fish.');
    await write(io.stdout, completion(shell as Shell));
  });
}

function muteErrors(command: Commander): void {
  command.configureOutput({ outputError: () => undefined });
  command.commands.forEach(muteErrors);
}

function configure(command: Commander, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}
