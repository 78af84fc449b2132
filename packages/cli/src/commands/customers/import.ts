import { DRY_RUN } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { REPORT, runImport } from '#input/csv-import.ts';

export const customersImport = defineCommand({
  path: 'customers import',
  summary: 'Import customers from a CSV; "tonerow serials demo customers" shows the columns',
  operations: ['importCustomers', 'listImports'],
  shows: ['importCustomers'],
  once: true,
  args: [['<file>', 'a CSV file of any length']],
  options: {
    ...DRY_RUN,
    ...REPORT,
  },
  examples: [
    'tonerow customers import people.csv --dry-run',
    'tonerow customers import people.csv --report rejected.csv',
  ],
  run: ({ context, args: [file], options }) => runImport(context, 'customers', file, options),
});
