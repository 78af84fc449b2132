import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { UsageError } from '#exit.ts';
import { REPORT, runImport } from '#input/csv-import.ts';

export const serialsImport = defineCommand({
  path: 'serials import',
  summary: 'Import serials from a CSV file: imports valid lines and reports the others',
  operations: ['importAvailableSerials', 'importRedeemedSerials', 'downloadImportReport', 'listImports'],
  shows: ['importAvailableSerials', 'importRedeemedSerials'],
  once: true,
  args: [
    ['<kind>', 'available or redeemed', ['available', 'redeemed']],
    ['<file>', 'a CSV file of any length; "tonerow serials demo" shows the columns'],
  ],
  options: {
    ...DRY_RUN,
    ...REPORT,
  },
  examples: ['tonerow serials import available codes.csv --dry-run', 'tonerow serials import redeemed sales.csv'],
  run({ context, args: [kind, file], options }) {
    if (kind !== 'available' && kind !== 'redeemed') throw new UsageError('Import "available" or "redeemed" serials.');
    return runImport(context, kind, file, options);
  },
});
