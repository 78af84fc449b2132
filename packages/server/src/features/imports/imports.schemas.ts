import { z } from 'zod';
import { delimiterNames, encodings } from '#platform/csv/dialect.ts';
import { Cursor, DryRun, Id, Limit, Time } from '#platform/http/schemas.ts';
import { decimalSigns } from './columns/amounts.ts';
import { dayOrders } from './columns/moments.ts';
import { importKinds } from './kinds.ts';
import { importStates } from './states.ts';

export const MAX_WARNINGS = 1000;

/** A multipart form with one file, read as it comes. */
export const FileForm = z.any().meta({
  id: 'ImportFile',
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'A CSV file of any length.' } },
  required: ['file'],
});

/** What a caller can specify about a file that could be read in two ways. */
export const FileHints = z.object({
  decimal: z.enum(decimalSigns).optional().describe('What separates cents in prices, where the file does not show it.'),
  date_order: z
    .enum(dayOrders)
    .optional()
    .describe('Whether 03/04/2026 has the day first (`dmy`) or the month (`mdy`), where the file does not show it.'),
  encoding: z
    .enum(encodings)
    .optional()
    .describe('The encoding. Without it, UTF-8, or UTF-16 if the file looks like it.'),
  delimiter: z
    .enum(Object.keys(delimiterNames) as [keyof typeof delimiterNames])
    .optional()
    .describe('What separates cells. Without it, what separates them in most lines.'),
});

export const ImportQuery = FileHints.extend({ dry_run: DryRun });
export type ImportQuery = z.output<typeof ImportQuery>;

const counts = {
  lines: z.int().describe('The number of lines with data.'),
  known: z.int().describe('Lines whose content was already known.'),
  rejected: z.int(),
  unused_columns: z.array(z.string()).describe('The heads of columns that nothing was done with.'),
};

export const ImportAnswer = z
  .object({
    success: z.literal(true),
    message: z.string(),
    import_id: Id,
    count: z.int().describe('The number of rows added.'),
    ...counts,
    dry_run: z.boolean(),
    warnings: z
      .array(z.object({ line: z.int(), reason: z.string() }))
      .max(MAX_WARNINGS)
      .describe('The first 1,000.'),
  })
  .meta({ id: 'ImportAnswer' });
export type ImportAnswer = z.output<typeof ImportAnswer>;

export const ImportView = z
  .object({
    id: Id,
    kind: z.enum(importKinds),
    file_name: z.string(),
    state: z.enum(importStates),
    dry_run: z.boolean(),
    count: z.int(),
    ...counts,
    error: z.string().nullable(),
    started_at: Time,
    finished_at: Time.nullable(),
    undone_at: Time.nullable(),
  })
  .meta({ id: 'Import' });
export type ImportView = z.output<typeof ImportView>;

export const ListImportsQuery = z.object({ limit: Limit, cursor: Cursor });
export const DemoParams = z.object({ kind: z.enum(importKinds) });

/** An import has made progress or has ended. */
export const ImportEvent = z.object({
  type: z.literal('import'),
  data: ImportView.omit({ file_name: true, unused_columns: true }),
});
export type ImportEvent = z.output<typeof ImportEvent>;
