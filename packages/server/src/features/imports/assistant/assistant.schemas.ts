import { z } from 'zod';
import { delimiterNames, encodings } from '#platform/csv/dialect.ts';
import { Flag, Id, Time } from '#platform/http/schemas.ts';
import { decimalSigns } from '../columns/amounts.ts';
import { columns } from '../columns/fields.ts';
import { dayOrders } from '../columns/moments.ts';
import { ImportView } from '../imports.schemas.ts';
import { importKinds } from '../kinds.ts';
import { builtOn } from '../undo/built-on.ts';
import { endsAnswers, sourceFormats } from './plan.ts';

const Column = z.enum(columns);
const Delimiter = z.enum(Object.keys(delimiterNames) as [keyof typeof delimiterNames]);
const Cell = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** The changes of a corrected file. */
const Changes = z
  .object({
    same: z.int(),
    changed: z.int(),
    new: z.int(),
    gone: z.int().describe('Brought by the earlier import, and not in this file.'),
    rows: z
      .array(
        z.object({
          what: z.string().describe('The serial, or the email address.'),
          change: z.enum(['changed', 'new', 'gone']),
          fields: z.array(z.object({ column: z.string(), before: Cell, after: Cell })),
        }),
      )
      .describe('The first 100. Without `customers:read`: none.'),
  })
  .meta({ id: 'ImportChanges' });

const ImportPlanView = z
  .object({
    revision: z.int().describe('Rises with every change.'),
    preset: z.string().nullable().describe('The system that made the file, if it was recognized.'),
    preset_name: z.string().nullable().describe('The same in words.'),
    format: z.enum(sourceFormats),
    encoding: z.enum(encodings).nullable(),
    delimiter: Delimiter.nullable().describe('What separates cells.'),
    sheet: z.string().nullable().describe('The sheet of a workbook that is read.'),
    sheets: z.array(z.string()).describe('All sheets of a workbook.'),
    columns: z
      .array(
        z.object({
          index: z.int().describe('The place in the file, from 0.'),
          head: z.string(),
          examples: z.array(z.string()).describe('Without `customers:read`: none.'),
          column: Column.nullable().describe('What it is; null: nothing will be done with it.'),
        }),
      )
      .describe('Every column of the file.'),
    fields: z
      .array(z.object({ column: Column, required: z.boolean(), one_value: z.boolean() }))
      .describe('What a column can be, in this kind of import; `one_value`: it may be the same in every line.'),
    replaces: Id.nullable().describe('The import that this file corrects: it is taken back as this one is imported.'),
    values: z
      .partialRecord(Column, z.string())
      .describe('What a column has in every line, where the file has no such column.'),
    products: z
      .record(z.string(), z.string())
      .describe('Products as the file calls them, with the name of one of yours.'),
    answers: z.object({
      decimal: z.enum(decimalSigns).nullable(),
      date_order: z.enum(dayOrders).nullable(),
      price: z.enum(['current']).nullable(),
      date: z.enum(['today']).nullable(),
      ends: z.enum(endsAnswers).nullable(),
    }),
    questions: z
      .array(z.object({ id: z.string(), message: z.string(), choices: z.array(z.string()) }))
      .describe('What has to be settled before it can run.'),
    check: z
      .object({
        at: Time,
        lines: z.int(),
        added: z.int(),
        known: z.int(),
        rejected: z.int(),
        amount: z.number().nullable().describe('What the prices add up to, in dollars; null: the import has none.'),
        unpriced: z.int().describe('Lines whose price is empty.'),
        undated: z.int().describe('Lines whose date of the sale is empty.'),
        time_zone: z.string(),
        changes: Changes.nullable().describe('What it would change of the import that it corrects.'),
        reasons: z.array(
          z.object({
            reason: z.string(),
            count: z.int(),
            example: z.object({ line: z.int(), reason: z.string() }),
          }),
        ),
        rows: z
          .array(z.record(z.string(), Cell))
          .describe('The first 50 lines as they will be. Without `customers:read`: none.'),
      })
      .nullable()
      .describe('What the last check found; null: nothing was checked since the last change.'),
  })
  .meta({ id: 'ImportPlan' });

export const ImportDetail = ImportView.extend({
  plan: ImportPlanView.nullable().describe('Null: the file was imported by one call.'),
}).meta({ id: 'ImportDetail' });
export type ImportDetail = z.output<typeof ImportDetail>;
export type ImportPlanView = z.output<typeof ImportPlanView>;

/** A multipart form with one file, and what is known of it already. */
export const SourceForm = z.any().meta({
  id: 'ImportSource',
  type: 'object',
  properties: {
    file: { type: 'string', format: 'binary', description: 'A CSV or similar file of any length, or a workbook.' },
  },
  required: ['file'],
});

export const ChangeImport = z
  .strictObject({
    revision: z.int().optional().describe('The revision that you have seen: refuses to overwrite a newer one.'),
    kind: z.enum(importKinds).optional(),
    encoding: z.enum(encodings).optional(),
    delimiter: Delimiter.optional(),
    sheet: z.string().max(100).optional(),
    columns: z
      .array(z.strictObject({ index: z.int().min(0).max(500), column: Column.nullable() }))
      .max(500)
      .optional()
      .describe('Columns that are something else than proposed.'),
    values: z.partialRecord(Column, z.string().trim().max(2000).nullable()).optional(),
    products: z.record(z.string().max(200), z.string().trim().max(200).nullable()).optional(),
    replaces: Id.nullable()
      .optional()
      .describe('An earlier import that this file corrects, while nothing was built on that one.'),
    answers: z
      .strictObject({
        decimal: z.enum(decimalSigns).nullable().optional(),
        date_order: z.enum(dayOrders).nullable().optional(),
        price: z.enum(['current']).nullable().optional(),
        date: z.enum(['today']).nullable().optional(),
        ends: z
          .enum(endsAnswers)
          .nullable()
          .optional()
          .describe('Ends of licenses: `revoke` revokes those that are past and keeps others as notes of batches.'),
      })
      .optional(),
  })
  .meta({ id: 'ChangeImport' });
export type ChangeImport = z.output<typeof ChangeImport>;

export const UndoQuery = z.object({
  dry_run: Flag.describe('Only report what prevents it.'),
  rest: Flag.describe('Leave what something was built on, and take back the rest.'),
});

export const ImportUndo = z
  .object({
    import: ImportDetail,
    kept: z
      .array(
        z.object({
          reason: z.enum(Object.keys(builtOn) as [keyof typeof builtOn]),
          count: z.int(),
          examples: z.array(z.string()).describe('The first ten, by code or address.'),
        }),
      )
      .describe('What something was built on.'),
  })
  .meta({ id: 'ImportUndo' });
export type ImportUndo = z.output<typeof ImportUndo>;
