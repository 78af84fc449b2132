import type { Command } from '#define/command.ts';
import { mustBeFields } from '#define/fields.ts';
import { parseOptions } from '#define/options.ts';
import { UsageError } from '#exit.ts';
import { canAsk, type Question } from '#input/prompt.ts';
import type { Io } from '#io.ts';
import { COLOR_CHOICES, type ColorChoice } from '#output/color.ts';
import { mustBeWritable } from '#output/file.ts';
import { mustCompile } from '#output/jq.ts';
import { withAccountZone } from '#output/zone.ts';
import { Context, type Globals } from './context.ts';
import { LostAnswerError } from './lost-answer.ts';
import { noticeUpdate } from './update-notice.ts';
import { noteWithheld } from './withheld.ts';

/** Options as commander has read them. */
type Given = Record<string, unknown>;

/** Runs one command, after checking that its result can be shown and stored. */
export function run(command: Command, args: string[], given: Given, io: Io): Promise<void> {
  return withAccountZone(() => runNow(command, args, given, io));
}

async function runNow(command: Command, args: string[], given: Given, io: Io): Promise<void> {
  const context = new Context(io, globalsOf(command, given));
  try {
    await prepare(command, context.globals, given);
    const options = parseOptions(command, given);
    if (command.once && given.dryRun !== true) {
      // loaded only where it is needed, because it brings cryptography
      const { Once } = await import('./once.ts');
      const caller = {
        io,
        profileName: context.profileName,
        url: await context.url(),
        ask: canAsk(io, context.globals.input) ? (question: Question) => context.ask(question) : null,
      };
      context.once = await Once.begin(caller, { command: command.path, args, options: given });
    }
    await command.run(context, args, options);
    await context.once?.succeeded();
    noteWithheld(context);
    await noticeUpdate(context);
  } catch (error) {
    const lost = await context.once?.failed(error);
    throw lost ? new LostAnswerError(error, lost) : error;
  } finally {
    await context.close();
  }
}

function globalsOf(command: Command, options: Given): Globals {
  const color = ('color' in command.options ? 'auto' : options.color) as ColorChoice;
  if (!COLOR_CHOICES.includes(color))
    throw new UsageError(`--color takes ${COLOR_CHOICES.join(', ')}, not "${color}".`);
  return {
    json: options.json === true || options.fields !== undefined || options.jq !== undefined,
    fields: options.fields as string | undefined,
    jq: options.jq as string | undefined,
    quiet: options.quiet === true,
    input: options.input !== false,
    force: options.force === true,
    bom: options.bom === true,
    color,
    profile: options.profile as string | undefined,
    url: options.url as string | undefined,
  };
}

async function prepare(command: Command, { fields, jq, force }: Globals, options: Given): Promise<void> {
  for (const file of [options.out, options.report]) if (typeof file === 'string') await mustBeWritable(file, force);
  if (fields !== undefined) await mustBeFields(command, fields);
  if (jq !== undefined) await mustCompile(jq);
}
