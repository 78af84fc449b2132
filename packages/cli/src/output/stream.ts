import type { Context } from '#run/context.ts';
import { BOM } from './csv.ts';
import { cutOff, save, type Target, type Written } from './file.ts';
import { startProgress } from './progress.ts';
import { counted } from './table.ts';

/** The target of `--out`. Only the owner can read files with serials, keys or people's data. */
export function outOf(context: Context, file = '-', contents: 'private' | 'public' = 'private'): Target {
  return { file, force: context.globals.force, mode: contents === 'private' ? 0o600 : 0o666 };
}

/**
 * Streams a response to its target, counting its lines.
 * @param size in bytes, if known.
 */
export async function receive(
  context: Context,
  response: Response,
  target: Target,
  label: string,
  size?: number,
): Promise<void> {
  const total = Number(response.headers.get('x-total-count') ?? 0);
  // a batch that is fetched again lacks what was deleted since
  const least = response.headers.has('idempotency-replayed') ? 0 : total;
  const progress = await startProgress(context, label, total, context.silent || total === 0);
  const header = /csv/.test(response.headers.get('content-type') ?? '') ? 1 : 0;
  const mark = header === 1 && context.globals.bom ? Buffer.from(BOM) : undefined;
  const rows = ({ lines }: Written) => Math.max(0, lines - header);
  const check = (written: Written) => {
    if (rows(written) < least) throw cutOff(response.url, `${rows(written)} of ${counted(total, 'serial')} arrived`);
    if (size !== undefined && written.bytes !== size)
      throw cutOff(response.url, `${written.bytes} of ${counted(size, 'byte')} arrived`);
  };
  try {
    await save(context.io, target, response, (written) => progress.update(rows(written)), check, mark);
    if (total > 0) progress.update(total);
  } finally {
    await progress.stop();
  }
  const held = `${counted(total, 'serial')} ${total === 1 ? 'is' : 'are'} in ${target.file}.`;
  if (target.file !== '-') context.note(total > 0 ? held : `Written to ${target.file}.`);
}
