import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ImportAnswer } from '@tonerow/sdk';
import { type Command, DRY_RUN, type Options } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, PartialError, UsageError } from '../exit.ts';
import { wholeNumber } from '../number.ts';
import { outOf, receive } from '../output/stream.ts';
import { list, table } from '../output/table.ts';

const calls = {
  available: 'importAvailableSerials',
  redeemed: 'importRedeemedSerials',
  customers: 'importCustomers',
} as const;
type Kind = keyof typeof calls;

/** A file on this machine, read only as it is sent. */
export async function fileOf(file: string): Promise<File> {
  const info = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} cannot be read (${error.code}).`);
  });
  if (!info.isFile()) throw new Failure(`${file} is no file.`);
  const blob = await openAsBlob(file);
  // not `new File([blob])`, which would be a second one; a name is all that a form asks for
  return Object.assign(blob, { name: path.basename(file), lastModified: info.mtimeMs }) as unknown as File;
}

const HOUR = 3_600_000;

/** Sends the file, says how it went, and fetches the rejected lines when they are wanted. */
export async function runImport(context: Context, kind: Kind, file: string, options: Options): Promise<void> {
  const api = await context.api();
  const source = await fileOf(file);
  context.note(`${options.dryRun ? 'Checking' : 'Importing'} ${path.basename(file)} (${source.size} bytes) …`);
  const query = { dry_run: Boolean(options.dryRun) };
  const done = await api[calls[kind]]({ body: { file: source }, query }, { ...context.call, timeoutMs: HOUR });
  await context.print(done, summary(done));
  if (done.rejected === 0) return;
  for (const { line, reason } of done.warnings.slice(0, 20)) context.note(`  line ${line}: ${reason}`);
  if (done.rejected > 20 && !options.report) context.note('  … all of them with --report FILE');
  if (options.report) {
    const input = { path: { id: done.import_id } };
    const response = await api.stream.downloadImportReport(input, { ...context.call, accept: 'text/csv' });
    await receive(context, response, outOf({ ...options, out: options.report }), 'Receiving');
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

export const REPORT = ['--report <file>', 'write the rejected lines to a CSV'] as const;

export const importCommands: Command[] = [
  {
    path: 'serials import',
    summary: 'Import serials from a CSV: all good lines, the others reported',
    operations: ['importAvailableSerials', 'importRedeemedSerials', 'downloadImportReport'],
    once: true,
    args: [
      ['<kind>', 'available or redeemed'],
      ['<file>', 'a CSV of any length; "tonerow serials demo" shows the columns'],
    ],
    options: [DRY_RUN, REPORT],
    examples: ['tonerow serials import available codes.csv --dry-run', 'tonerow serials import redeemed sales.csv'],
    run(context, [kind, file], options) {
      if (kind !== 'available' && kind !== 'redeemed')
        throw new UsageError('Import "available" or "redeemed" serials.');
      return runImport(context, kind, file as string, options);
    },
  },
  {
    path: 'serials demo',
    summary: 'A small CSV that shows which columns an import takes',
    operations: ['downloadDemoCsv'],
    args: [['<kind>', 'available, redeemed or customers']],
    options: [['--out <file>', 'write to a file', '-']],
    examples: ['tonerow serials demo available --out columns.csv'],
    async run(context, [kind], options) {
      if (!kind || !(kind in calls)) throw new UsageError('There are demos for available, redeemed and customers.');
      const api = await context.client();
      const input = { path: { kind: kind as Kind } };
      const response = await api.stream.downloadDemoCsv(input, { ...context.call, accept: 'text/csv' });
      await receive(context, response, outOf(options, 'public'), 'Receiving');
    },
  },
  {
    path: 'serials imports',
    summary: 'What was imported, newest first',
    operations: ['listImports'],
    options: [['--limit <n>', 'how many', '20']],
    examples: ['tonerow serials imports --limit 5'],
    async run(context, _args, options) {
      const api = await context.api();
      const limit = wholeNumber(options.limit, '--limit');
      const rows = await api.listImports({ query: { limit } }, context.call);
      const human = rows.map((row) => [
        row.id,
        row.kind,
        row.file_name,
        row.dry_run ? `${row.state} (dry run)` : row.state,
        row.count,
        row.rejected,
        row.started_at,
      ]);
      const head = ['ID', 'KIND', 'FILE', 'STATE', 'ADDED', 'REJECTED', 'STARTED'];
      await context.print(rows, rows.length === 0 ? 'Nothing was imported yet.\n' : table(head, human));
    },
  },
  {
    path: 'serials import-status',
    summary: 'How far an import is, or what came of it',
    operations: ['getImport'],
    args: [['<id>', 'from "tonerow serials imports"']],
    examples: ['tonerow serials import-status 01900000-0000-7000-8000-000000000001'],
    async run(context, [id]) {
      const found = await (await context.api()).getImport({ path: { id: id as string } }, context.call);
      await context.print(
        found,
        list([
          ['State', found.state],
          ['File', found.file_name],
          ['Lines', found.lines],
          ['Added', found.count],
          ['Known already', found.known],
          ['Rejected', found.rejected],
          ['Error', found.error],
        ]),
      );
    },
  },
];
