import type { Command, Options } from './command.ts';
import { Context, type Globals } from './context.ts';
import { UsageError } from './exit.ts';
import { mustBeFields } from './fields.ts';
import type { Io } from './io.ts';
import { LostAnswerError } from './lost-answer.ts';
import { nameOf } from './options.ts';
import { COLOR_CHOICES, type ColorChoice } from './output/color.ts';
import { mustBeWritable } from './output/file.ts';
import { mustCompile } from './output/jq.ts';
import { noticeUpdate } from './update-notice.ts';

/** Runs one command, after looking whether its answer could be shown and kept. */
export async function run(command: Command, args: string[], options: Options, io: Io): Promise<void> {
  const context = new Context(io, globalsOf(command, options));
  try {
    await prepare(command, context.globals, options);
    if (command.once && options.dryRun !== true) {
      // with its cryptography only where it is needed
      const { Once } = await import('./once.ts');
      context.once = await Once.begin(context, { command: command.path, args, options });
    }
    await command.run(context, args, options);
    await context.once?.succeeded();
    await noticeUpdate(context);
  } catch (error) {
    const lost = await context.once?.failed(error);
    throw lost ? new LostAnswerError(error, lost) : error;
  } finally {
    await context.close();
  }
}

function globalsOf(command: Command, options: Options): Globals {
  const own = command.options?.some(([flags]) => nameOf(flags) === '--color');
  const color = (own ? 'auto' : options.color) as ColorChoice;
  if (!COLOR_CHOICES.includes(color))
    throw new UsageError(`--color takes ${COLOR_CHOICES.join(', ')}, not "${color}".`);
  return {
    json: options.json === true || options.fields !== undefined || options.jq !== undefined,
    fields: options.fields as string | undefined,
    jq: options.jq as string | undefined,
    quiet: options.quiet === true,
    input: options.input !== false,
    color,
    profile: options.profile as string | undefined,
    url: options.url as string | undefined,
  };
}

async function prepare(command: Command, { fields, jq }: Globals, options: Options): Promise<void> {
  for (const file of [options.out, options.report])
    if (typeof file === 'string') await mustBeWritable(file, options.force === true);
  if (fields !== undefined) await mustBeFields(command, fields);
  if (jq !== undefined) await mustCompile(jq);
}
