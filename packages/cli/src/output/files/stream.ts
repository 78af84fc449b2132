import { UsageError } from '#exit.ts';
import type { Context } from '#run/context.ts';
import { startProgress } from '../progress.ts';
import { counted } from '../table.ts';
import { BOM } from './csv.ts';
import { cutOff, save, type Target, type Written } from './file.ts';

/** The target of `--out`. Only the owner can read files with serials, keys or people's data. */
export function outOf(context: Context, file = '-', contents: 'private' | 'public' = 'private'): Target {
  return { file, force: context.globals.force, mode: contents === 'private' ? 0o600 : 0o666 };
}

/**
 * Before anything is requested whose answer is a file: printed where JSON was asked for, it would not be JSON.
 * @throws {UsageError}
 */
export function mustNotPrintFile(context: Context, file = '-'): void {
  if (context.globals.json && file === '-')
    throw new UsageError(
      'This prints a file, not JSON. Write it with --out FILE; --json then reports what was written.',
    );
}

/** Writes a response to its target; with --json, prints what was written. */
export async function receive(
  context: Context,
  response: Response,
  target: Target,
  label: string,
  size?: number,
): Promise<void> {
  mustNotPrintFile(context, target.file);
  const written = await receiveOnly(context, response, target, label, size);
  if (context.globals.json) await context.print({ file: target.file, ...written }, '');
}

/**
 * Streams a response to its target, counting its lines.
 * @param size in bytes, if known.
 */
export async function receiveOnly(
  context: Context,
  response: Response,
  target: Target,
  label: string,
  size?: number,
): Promise<{ bytes: number; rows?: number }> {
  const total = Number(response.headers.get('x-total-count') ?? 0);
  // a batch that is fetched again lacks what was deleted since
  const least = response.headers.has('idempotency-replayed') ? 0 : total;
  const progress = await startProgress(context, label, { total, unit: 'rows' });
  const type = response.headers.get('content-type') ?? '';
  const header = /csv/.test(type) ? 1 : 0;
  const mark = header === 1 && context.globals.bom ? Buffer.from(BOM) : undefined;
  const rows = ({ lines }: Written) => Math.max(0, lines - header);
  const check = (written: Written) => {
    if (rows(written) < least) throw cutOff(response.url, `${rows(written)} of ${counted(total, 'serial')} arrived`);
    if (size !== undefined && written.bytes !== size)
      throw cutOff(response.url, `${written.bytes} of ${counted(size, 'byte')} arrived`);
  };
  let last: Written = { lines: 0, bytes: 0 };
  try {
    const note = (written: Written) => {
      last = written;
      progress.update(rows(written), written.bytes);
    };
    await save(context.io, target, response, note, check, mark);
  } finally {
    await progress.stop();
  }
  const held = `${counted(total, 'serial')} ${total === 1 ? 'is' : 'are'} in ${target.file}.`;
  if (target.file !== '-') context.note(total > 0 ? held : `Written to ${target.file}.`);
  // a line break inside a cell looks like one between rows
  return { bytes: last.bytes, ...(total > 0 || /ndjson/.test(type) ? { rows: rows(last) } : {}) };
}
