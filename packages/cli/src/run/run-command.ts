import { currentProfile } from '#config/store.ts';
import type { Command } from '#define/command.ts';
import { mustBeFields } from '#define/fields.ts';
import { parseOptions } from '#define/options.ts';
import { PartialError, UsageError } from '#exit.ts';
import { canAsk, type Question } from '#input/prompt.ts';
import type { Io } from '#io.ts';
import { COLOR_CHOICES, type ColorChoice } from '#output/color.ts';
import { mustBeWritable } from '#output/files/file.ts';
import { mustCompile, needsWholeList } from '#output/json/jq.ts';
import { MOST_AT_ONCE, tooManyAtOnce } from '#output/json/whole-list.ts';
import { withTableWidth } from '#output/table-width.ts';
import { withAccountZone } from '#output/zone.ts';
import { Context, type Globals, templateOf } from './context.ts';
import { LostAnswerError } from './lost-answer.ts';
import { noticeUpdate } from './update-notice.ts';
import { noteWithheld } from './withheld.ts';

/** Options as commander has read them. */
type Given = Record<string, unknown>;

/** Runs one command, after checking that its result can be shown and stored. */
export function run(command: Command, args: string[], given: Given, io: Io): Promise<void> {
  const columns = io.stdout.isTTY ? io.stdout.columns : undefined;
  return withTableWidth(columns, () => withAccountZone(() => runNow(command, args, given, io)));
}

async function runNow(command: Command, args: string[], given: Given, io: Io): Promise<void> {
  const globals = globalsOf(command, given);
  globals.profile ??= io.env.TONEROW_PROFILE || (await currentProfile(io.env));
  const context = new Context(io, globals);
  try {
    await prepare(command, context.globals, given);
    const options = parseOptions(command, given);
    context.paging = await pagingOf(options, context.globals);
    if (command.once && given.dryRun !== true) {
      // loaded only where it is needed, because it brings cryptography
      const { Once } = await import('./once.ts');
      const caller = {
        io,
        profileName: context.profileName,
        url: await context.url(),
        ask: canAsk(io, context.globals.input) ? (question: Question) => context.ask(question) : null,
        warn: (message: string) => context.warn('state_unwritable', message),
      };
      context.once = await Once.begin(caller, { command: command.path, args, options: given });
    }
    await command.run(context, args, options);
    await context.once?.succeeded();
    if (command.once && io.env.GITHUB_ACTIONS === 'true') await summarize(context, command.path);
    noteWithheld(context);
    await noticeUpdate(context);
  } catch (thrown) {
    const error = context.once && isClosedPipe(thrown) ? new PartialError(DONE_UNSEEN) : thrown;
    const lostAnswer = await context.once?.failed(error);
    throw lostAnswer ? new LostAnswerError(error, lostAnswer) : error;
  } finally {
    await context.close();
  }
}

/** Only loaded in a job of GitHub Actions. */
async function summarize(context: Context, path: string): Promise<void> {
  const { summarizeSuccess } = await import('#output/actions.ts');
  await summarizeSuccess(context, path);
}

/** The server's largest page. */
const MOST_ON_PAGE = 1000;

/**
 * How the list of a command is read: one row more than is shown shows whether there are more.
 * @throws {UsageError} when all of it are too many for a program or template that needs them at once.
 */
async function pagingOf(
  { all, limit }: Record<string, unknown>,
  { jq, template }: Globals,
): Promise<Context['paging']> {
  if (typeof all !== 'boolean' || typeof limit !== 'number') return {};
  const whole =
    jq !== undefined ? needsWholeList(jq) : template !== undefined && (await templateOf(template)).rows === undefined;
  const mustFit = (rows: number) => {
    if (rows > MOST_AT_ONCE) throw tooManyAtOnce(jq === undefined ? '--template' : '--jq');
  };
  if (!all && whole) mustFit(limit);
  return {
    pageSize: all ? MOST_ON_PAGE : Math.min(MOST_ON_PAGE, limit + 1),
    ...(all && whole ? { onTotal: mustFit } : {}),
  };
}

const DONE_UNSEEN = 'It was done, but standard output was closed before all of the result was printed.';

const isClosedPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

function globalsOf(command: Command, options: Given): Globals {
  const color = ('color' in command.options ? 'auto' : options.color) as ColorChoice;
  if (!COLOR_CHOICES.includes(color))
    throw new UsageError(`--color takes ${COLOR_CHOICES.join(', ')}, not "${color}".`);
  return {
    json: [options.fields, options.jq, options.template].some((each) => each !== undefined) || options.json === true,
    fields: options.fields as string | undefined,
    jq: options.jq as string | undefined,
    template: options.template as string | undefined,
    quiet: options.quiet === true,
    input: options.input !== false,
    force: options.force === true,
    bom: options.bom === true,
    color,
    profile: options.profile as string | undefined,
    url: options.url as string | undefined,
  };
}

async function prepare(
  command: Command,
  { json, fields, jq, template, force }: Globals,
  options: Given,
): Promise<void> {
  if (json && options.csv === true && (options.out ?? '-') === '-')
    throw new UsageError(
      '--csv and --json exclude each other. With --csv --out FILE, --json reports what was written.',
    );
  for (const file of [options.out, options.report]) if (typeof file === 'string') await mustBeWritable(file, force);
  if (fields !== undefined) await mustBeFields(command, fields);
  if (jq !== undefined && template !== undefined) throw new UsageError('--jq and --template exclude each other.');
  if (jq !== undefined) await mustCompile(jq);
  if (template !== undefined) await templateOf(template);
}
