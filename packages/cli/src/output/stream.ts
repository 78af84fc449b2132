import type { Context } from '../context.ts';
import { Failure } from '../exit.ts';
import { save } from './file.ts';
import { startProgress } from './progress.ts';
import { counted } from './table.ts';

/** Writes an answer that streams to a file (`-`: standard output), with a count of its lines. */
export async function receive(context: Context, response: Response, target: string, label: string): Promise<void> {
  const total = Number(response.headers.get('x-total-count') ?? 0);
  if (!response.body) throw new Failure('The answer was empty.');
  const progress = await startProgress(context.io, label, total, context.silent || total === 0);
  const header = /csv/.test(response.headers.get('content-type') ?? '') ? 1 : 0;
  try {
    await save(context.io, target, response.body, (lines) => progress.update(Math.max(0, lines - header)));
    if (total > 0) progress.update(total);
  } finally {
    await progress.stop();
  }
  const held = `${counted(total, 'serial')} ${total === 1 ? 'is' : 'are'} in ${target}.`;
  if (target !== '-') context.note(total > 0 ? held : `Written to ${target}.`);
}
