import { styleText } from 'node:util';
import type { CommanderError } from 'commander';
import { CancelledError, EXIT, UsageError } from './exit.ts';
import { type Io, write } from './io.ts';
import { COLOR_CHOICES, type ColorChoice, hasColors } from './output/color.ts';
import { reportOf } from './output/error.ts';
import { commandFirst } from './run/leading-options.ts';
import { LostAnswerError } from './run/lost-answer.ts';
import { VERSION } from './version.ts';

/** Commands that other tools have, and the names of ours. */
const ELSEWHERE = [
  ['auth login', 'tonerow login'],
  ['auth logout', 'tonerow logout'],
  ['auth status', 'tonerow whoami'],
  ['auth', 'tonerow login'],
  ['doctor', 'tonerow-server doctor'],
  ['config', 'tonerow whoami'],
] as const;

/** Runs one command line and returns the exit code. Touches nothing but `io`. */
export async function main(typed: string[], io: Io): Promise<number> {
  const argv = commandFirst(typed);
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    await write(io.stdout, `${VERSION}\n`);
    return EXIT.ok;
  }
  if (typed[0] === 'complete' && typed[1] === '--') return answerShell(typed.slice(2), io);
  const look = argv[0] === 'branding' && argv[1] === 'set' ? lookOf(argv) : undefined;
  if (look) return main(look.rest, { ...io, env: { ...io.env, ...LOOKS[look.when] } });
  const meant = ELSEWHERE.find(([words]) => argv.slice(0, words.split(' ').length).join(' ') === words);
  const plain = spelledOut(argv.length === 0 ? ['--help'] : argv);
  const words = plain.some((_, at) => couldBeFields(plain, at)) ? await named(plain) : plain;
  const json = words.some((word) => /^(--(json|fields|jq|template)(=.*)?|-t.*)$/.test(word));
  try {
    if (meant) throw new UsageError(`There is no command "${meant[0]}". Did you mean "${meant[1]}"?`);
    // not loaded for --version, nor for each Tab in a shell
    const { muteErrors, program } = await import('./run/program.ts');
    const root = await program(io, words);
    if (json) muteErrors(root);
    await root.parseAsync(words, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (isCommanders(error)) {
      // help and version have been shown; commander has printed anything else already, but not as JSON
      if (error.exitCode === 0) return EXIT.ok;
      const { usageError } = await import('./run/program.ts');
      const refused = usageError(error, words);
      if (json) io.stderr.write(`${JSON.stringify({ code: 'usage', ...refused })}\n`);
      const { message } = refused;
      await annotate(io, words, { code: EXIT.usage, message, json });
      return EXIT.usage;
    }
    const [reason, lost] = error instanceof LostAnswerError ? [error.cause, error.lost] : [error];
    if ((reason as NodeJS.ErrnoException).code === 'EPIPE') return EXIT.ok;
    const report = reportOf(io.signal.aborted ? new CancelledError() : reason, io.env, lost);
    const text = hasColors(io.env, io.stderr, colorOf(words)) ? report.text.replace(/^.*/, red) : report.text;
    io.stderr.write(json ? `${JSON.stringify(report.json)}\n` : `${text}\n`);
    await annotate(io, words, { code: report.code, message: report.text, json });
    return report.code;
  }
}

/** Only loaded where it is shown, because it knows all commands. */
async function annotate(
  io: Io,
  words: string[],
  failure: { code: number; message: string; json: boolean },
): Promise<void> {
  if (io.env.GITHUB_ACTIONS !== 'true' || failure.code === EXIT.cancelled) return;
  const { annotateFailure } = await import('./output/actions.ts');
  await annotateFailure(io, words, failure);
}

/** Recognizes an error of commander by its code, so that commander is not loaded just for that. */
function isCommanders(error: unknown): error is CommanderError {
  return error instanceof Error && String((error as { code?: unknown }).code).startsWith('commander.');
}

/** Answers the completion scripts. A shell that waits for candidates must never read an error. */
async function answerShell(words: string[], io: Io): Promise<number> {
  const { complete } = await import('./help/completion.ts');
  const found = await complete(words, io.env).catch(() => []);
  const lines = found === 'files' ? [':files'] : found.map(({ word, about }) => `${word}\t${about}`);
  await write(io.stdout, lines.map((line) => `${line}\n`).join(''));
  return EXIT.ok;
}

/**
 * Turns `--json=id,name` into what commander understands: an optional value would swallow the next word. And `--no-color` into
 * `--color never`.
 */
function spelledOut(argv: string[]): string[] {
  const end = argv.indexOf('--');
  return argv.flatMap((word, at) => {
    if (end !== -1 && at > end) return [word];
    if (word === '--no-color') return ['--color', 'never'];
    return word.startsWith('--json=') ? ['--fields', word.slice('--json='.length)] : [word];
  });
}

/** How `branding set` gets its colors of output: its --color is the brand's, which is none of these words. */
const LOOKS: Record<ColorChoice, Io['env']> = {
  auto: {},
  always: { NO_COLOR: '', FORCE_COLOR: '1' },
  never: { NO_COLOR: '1' },
};

function lookOf(argv: string[]): { when: ColorChoice; rest: string[] } | undefined {
  const words = argv.flatMap((word) =>
    word === '--no-color' ? ['--color', 'never'] : word.startsWith('--color=') ? word.split('=') : [word],
  );
  const whens: readonly (string | undefined)[] = COLOR_CHOICES;
  const at = words.findIndex((word, index) => word === '--color' && whens.includes(words[index + 1]));
  return at === -1 ? undefined : { when: words[at + 1] as ColorChoice, rest: words.toSpliced(at, 2) };
}

/** Only loaded where a name follows --json, because it knows all commands. */
async function named(words: string[]): Promise<string[]> {
  const end = words.indexOf('--');
  const { withFields } = await import('./run/json-fields.ts');
  return withFields(words.slice(0, end === -1 ? words.length : end)).then((own) => [
    ...own,
    ...(end === -1 ? [] : words.slice(end)),
  ]);
}

/** Whether a word may name the fields of the `--json` before it. */
const couldBeFields = (words: readonly string[], at: number): boolean =>
  words[at] === '--json' && /^[a-z]\w*(,[a-z]\w*)*$/.test(words[at + 1] ?? '');

function colorOf(words: string[]): ColorChoice {
  const at = words.findLastIndex((word) => /^--color(=|$)/.test(word));
  const choice = words[at]?.split('=')[1] ?? words[at + 1];
  return at >= 0 && (choice === 'always' || choice === 'never') ? choice : 'auto';
}

function red(text: string): string {
  return styleText('red', text, { validateStream: false });
}
