import path from 'node:path';
import type { ImportAnswer } from '@tonerow/sdk';
import { text } from '#define/option-types.ts';
import { PartialError } from '#exit.ts';
import { outOf, receive } from '#output/stream.ts';
import { list } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { fileOf } from './local-file.ts';

export const calls = {
  available: 'importAvailableSerials',
  redeemed: 'importRedeemedSerials',
  customers: 'importCustomers',
} as const;

export type Kind = keyof typeof calls;

const HOUR = 3_600_000;

interface ImportOptions {
  dryRun: boolean;
  report: string | undefined;
}

/** Uploads the file, prints the result, and downloads the rejected lines if --report asks for them. */
export async function runImport(context: Context, kind: Kind, file: string, options: ImportOptions): Promise<void> {
  const api = await context.api();
  const source = await fileOf(file);
  context.note(`${options.dryRun ? 'Checking' : 'Importing'} ${path.basename(file)} (${source.size} bytes) …`);
  const query = { dry_run: options.dryRun };
  const done = await api[calls[kind]]({ body: { file: source }, query }, { ...context.call, timeoutMs: HOUR });
  await context.print(done, summary(done));
  if (done.rejected === 0) return;
  for (const { line, reason } of done.warnings.slice(0, 20)) context.note(`  line ${line}: ${reason}`);
  if (done.rejected > 20 && !options.report) context.note('  … all of them with --report FILE');
  if (options.report) {
    const input = { path: { id: done.import_id } };
    const response = await api.stream.downloadImportReport(input, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf(context, options.report), 'Receiving');
  }
  throw new PartialError(`${done.message}: ${done.rejected} of ${done.lines} lines rejected.`);
}

function summary(done: ImportAnswer): string {
  return list([
    [done.dry_run ? 'Would add' : 'Added', done.count],
    ['Known already', done.known],
    ['Rejected', done.rejected],
    ['Lines', done.lines],
  ]);
}

export const REPORT = {
  report: text('<file>', 'write the rejected lines to a CSV file'),
};
