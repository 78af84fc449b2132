import { z } from 'zod';
import { Cursor, DryRun, Id, Limit, Time } from '#platform/http/schemas.ts';
import { importKinds } from './kinds.ts';

export const MAX_WARNINGS = 1000;

/** A multipart form with one file, read as it comes. */
export const FileForm = z.any().meta({
  id: 'ImportFile',
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'A CSV file of any length.' } },
  required: ['file'],
});

export const ImportQuery = z.object({ dry_run: DryRun });

const counts = {
  lines: z.int().describe('The number of lines with data.'),
  known: z.int().describe('Lines whose content was already known.'),
  rejected: z.int(),
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
    state: z.enum(['running', 'complete', 'failed']),
    dry_run: z.boolean(),
    count: z.int(),
    ...counts,
    error: z.string().nullable(),
    started_at: Time,
    finished_at: Time.nullable(),
  })
  .meta({ id: 'Import' });
export type ImportView = z.output<typeof ImportView>;

export const ListImportsQuery = z.object({ limit: Limit, cursor: Cursor });
export const DemoParams = z.object({ kind: z.enum(importKinds) });

/** An import has made progress or has ended. */
export const ImportEvent = z.object({ type: z.literal('import'), data: ImportView.omit({ file_name: true }) });
export type ImportEvent = z.output<typeof ImportEvent>;
