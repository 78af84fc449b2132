import { text } from '#define/option-types.ts';
import type { Context } from '#run/context.ts';
import { readText, type Target } from './file.ts';
import { receive } from './stream.ts';

export const OUT = {
  out: text('<file>', 'write to a file ("-" for standard output)', { fallback: '-' }),
};

/** Prints a text response, such as a key file, unchanged, or as a JSON string with --json. */
export async function show(context: Context, response: Response, target: Target): Promise<void> {
  if (context.globals.json && target.file === '-') return context.print(await readText(context.io, response), '');
  await receive(context, response, target, 'Receiving');
}
