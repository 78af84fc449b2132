import { choice, text } from '#define/option-types.ts';

export const accepts = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

export const OUT = {
  out: text('<file>', 'write to a file ("-" for standard output)'),
  format: choice('<format>', 'of that file: csv or ndjson', { values: ['csv', 'ndjson'], fallback: 'csv' }),
};
