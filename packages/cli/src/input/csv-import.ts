import path from 'node:path';
import type { ImportAnswer } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { text } from '#define/option-types.ts';
import { PartialError } from '#exit.ts';
import { outOf, receiveOnly } from '#output/files/stream.ts';
import { type Progress, sizeOf, startProgress } from '#output/progress.ts';
import { list } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { fileOf } from './local-file.ts';

export const calls = {
  available: 'importAvailableSerials',
  redeemed: 'importRedeemedSerials',
  customers: 'importCustomers',
} as const;

export type Kind = keyof typeof calls;

interface ImportOptions {
  dryRun: boolean;
  report: string | undefined;
}

/** Uploads the file, prints the result, and downloads the rejected lines if --report asks for them. */
export async function runImport(context: Context, kind: Kind, file: string, options: ImportOptions): Promise<void> {
  const api = await context.api();
  const source = await fileOf(file);
  const name = path.basename(file);
  const doing = options.dryRun ? 'Checking' : 'Importing';
  context.note(`${doing} ${name} (${sizeOf(source.size)}) …`);
  const query = { dry_run: options.dryRun };
  const done = await whileShown(context, api, { name, doing, size: source.size }, () =>
    api[calls[kind]]({ body: { file: source }, query }, context.call),
  );
  await context.print(done, summary(done));
  if (done.rejected === 0) return;
  for (const { line, reason } of done.warnings.slice(0, 20)) context.note(`  line ${line}: ${reason}`);
  if (done.rejected > 20 && !options.report) context.note('  … all of them with --report FILE');
  if (options.report) {
    const input = { path: { id: done.import_id } };
    const response = await api.stream.downloadImportReport(input, { ...context.call, accept: 'text/csv' });
    await receiveOnly(context, response, outOf(context, options.report), 'Receiving');
  }
  throw new PartialError(`${done.message}: ${done.rejected} of ${done.lines} lines rejected.`);
}

/** How often the server is asked how far it is. */
const ASKED_EVERY = 2000;

/** Shows how much of the file has been sent, and then how many lines of it the server has read. */
async function whileShown<Answer>(
  context: Context,
  api: OperationClient,
  { name, doing, size }: { name: string; doing: string; size: number },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const sending = await startProgress(context, `Sending ${name}`, { total: size, unit: 'bytes' });
  context.onSent = (sent) => sending.update(sent);
  let reading: Progress | undefined;
  const asking = setInterval(async () => {
    // only to show it: who may import may not always list imports, and the import itself reports what fails
    const [latest] = await api.listImports({ query: { limit: 1 } }, { ...context.call, retries: 0 }).catch(() => []);
    if (latest?.state !== 'running' || latest.file_name !== name || latest.lines === 0) return;
    if (!reading) {
      await sending.stop();
      reading = await startProgress(context, `${doing} ${name}`, { unit: 'rows' });
    }
    reading.update(latest.lines);
  }, ASKED_EVERY);
  try {
    return await run();
  } finally {
    clearInterval(asking);
    context.onSent = undefined;
    await sending.stop();
    await reading?.stop();
  }
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
