import path from 'node:path';
import type { ImportDetail, InputOf } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import {
  changeImportAnswersDate,
  changeImportAnswersDate_order,
  changeImportAnswersDecimal,
  changeImportAnswersEnds,
  changeImportAnswersPrice,
  changeImportDelimiter,
  changeImportEncoding,
  changeImportKind,
} from '@tonerow/sdk/values';
import { DRY_RUN, YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text, texts } from '#define/option-types.ts';
import { OpenQuestions, PartialError, UsageError } from '#exit.ts';
import { checkOfImport, endOfImport } from '#input/import-steps.ts';
import { fileOf } from '#input/local-file.ts';
import { sizeOf } from '#output/progress.ts';
import { counted, list } from '#output/table.ts';
import type { Context } from '#run/context.ts';

type Plan = NonNullable<ImportDetail['plan']>;
type Changes = NonNullable<NonNullable<Plan['check']>['changes']>;

export const importCommand = defineCommand({
  path: 'import',
  summary: 'Import a file of any origin: what it has is found out, checked and shown first',
  operations: ['createImport', 'changeImport', 'checkImport', 'runImport', 'getImport', 'discardImport'],
  args: [['<file>', 'a CSV file or the like, or an Excel workbook']],
  options: {
    kind: choice('<kind>', 'redeemed, available or customers, where that is not found out', {
      values: changeImportKind,
    }),
    encoding: choice('<name>', 'how its letters are written, where that is not found out', {
      values: changeImportEncoding,
    }),
    delimiter: choice('<name>', 'what separates its cells, where that is not found out', {
      values: changeImportDelimiter,
    }),
    sheet: text('<name>', 'the sheet of a workbook, instead of the first'),
    product: text('<name>', 'the product of all lines'),
    set: texts('<column=value>', 'what a column is in all lines, such as "Country=DE"'),
    map: texts('<head=column>', 'what a column is, such as "Price=Total Price"; "Price=" leaves it out'),
    rename: texts('<theirs=name>', 'a product as the file calls it, with the name of yours, such as "PD1=Prism Delay"'),
    decimal: choice('<sign>', 'point or comma before cents, where the file does not show it', {
      values: changeImportAnswersDecimal,
    }),
    dateOrder: choice('<order>', 'dmy or mdy: what 03/04/2026 means, where the file does not show it', {
      values: changeImportAnswersDate_order,
    }),
    price: choice('<current>', 'current: book sales without a price at what the product costs today', {
      values: changeImportAnswersPrice,
    }),
    date: choice('<today>', 'today: book sales without a date today', { values: changeImportAnswersDate }),
    ends: choice('<what>', 'revoke or ignore the licenses that have ended in the file', {
      values: changeImportAnswersEnds,
    }),
    update: text('<id>', 'an earlier import that this file corrects, from "tonerow imports list": it is taken back'),
    ...DRY_RUN,
    ...YES,
  },
  examples: [
    'tonerow import sales.xlsx',
    'tonerow import sales.xlsx --sheet "Sales 2026" --dry-run',
    'tonerow import corrected.csv --update 01900000-0000-7000-8000-000000000001',
    'tonerow import orders.csv --rename "PD1=Prism Delay" --yes',
    'tonerow import orders.csv --product "Prism Delay" --map "Key=Serial" --decimal comma --yes',
  ],
  async run({ context, args: [file], options }) {
    const api = await context.api();
    const source = await fileOf(file);
    context.note(`Reading ${path.basename(file)} (${sizeOf(source.size)}) …`);
    const made = await api.createImport({ body: { file: source } }, context.call);
    const { id } = made;
    let checked: ImportDetail;
    try {
      const plan = await answered(context, api, made, options);
      context.note(`  ${writtenAs(plan)}`);
      if (plan.preset_name) context.note(`  This is a file of ${plan.preset_name}.`);
      for (const { head, column } of plan.columns)
        context.note(column === null ? `  ${head}: not used` : `  ${head}: ${column}`);
      const open = (asked: Plan) => openQuestions(asked, options.dryRun ? null : id);
      if (plan.questions.length > 0) throw open(await withFigures(context, api, id, plan));
      checked = await checkOfImport(context, api, id);
      // some show only when every line was read
      if (checked.plan?.questions.length) throw open(checked.plan as Plan);
      const check = checked.plan?.check as NonNullable<Plan['check']>;
      if (check.changes) noteChanges(context, check.changes);
      for (const { count, example } of check.reasons.slice(0, 20))
        context.note(`  ${counted(count, 'line')}, such as line ${example.line}: ${example.reason}`);
      if (check.reasons.some(({ reason }) => reason.startsWith('No product is named ')))
        context.note(
          '  --rename "NAME IN THE FILE=PRODUCT" names a product, and "tonerow products create NAME" adds one.',
        );
      if (!options.dryRun)
        await context.confirm(options.yes, `Import ${check.added} of ${check.lines} lines of ${path.basename(file)}?`);
    } catch (error) {
      // it would wait for ever beside the file that is sent next; one that the server does not forget now is listed
      if (options.dryRun || !(error instanceof OpenQuestions))
        await api.discardImport({ path: { id } }, { ...context.call, retries: 0 }).catch(() => undefined);
      throw error;
    }
    if (options.dryRun) return printChecked(context, api, checked);
    await api.runImport({ path: { id } }, context.call);
    const done = await endOfImport(context, api, id);
    await context.print(
      done,
      list([
        ['Import', done.id],
        ['Added', done.count],
        ['Known already', done.known],
        ['Rejected', done.rejected],
        ['Lines', done.lines],
      ]),
    );
    if (done.rejected > 0) throw new PartialError(`${done.rejected} of ${done.lines} lines rejected.`);
  },
});

/** @param waiting the import whose file waits for the answers; null: it is discarded */
const openQuestions = ({ questions, columns }: Plan, waiting: string | null) =>
  new OpenQuestions(
    [
      'Nothing was imported yet.',
      ...questions.map((each) => `${each.message} (${optionsFor(each, columns).join(', or ')})`),
      ...(waiting === null
        ? []
        : [`The file waits in the dashboard under Imports, until "tonerow imports discard ${waiting}".`]),
    ].join('\n'),
  );

/** Options whose value is one of a question's choices. */
const CHOSEN: Readonly<Record<string, string>> = {
  price: 'price',
  date: 'date',
  ends: 'ends',
  decimal: 'decimal',
  date_order: 'date-order',
};
/** Columns whose value all lines may have. */
const COLUMNS: Readonly<Record<string, string>> = { price: 'Total Price', date: 'Purchase Date' };

/** The options that settle a question. */
function optionsFor({ id, choices }: Plan['questions'][number], columns: Plan['columns']): string[] {
  const chosen = CHOSEN[id] ? choices.map((choice) => `--${CHOSEN[id]} ${choice}`) : [];
  const field = COLUMNS[id] ?? (CHOSEN[id] ? undefined : id);
  // a value for all lines would take the place of what the file has in most of them
  if (field === undefined || columns.some(({ column }) => column === field)) return chosen;
  const ofAll = id === 'Product' ? ['--product NAME'] : COLUMNS[id] ? [`--set "${field}=VALUE"`] : [];
  return [...chosen, `--map "HEAD=${field}"`, ...ofAll];
}

/** Questions that may still be open when the file is checked. The check finds the figures for them. */
const ASKED_LATE = ['price', 'date'];

async function withFigures(context: Context, api: OperationClient, id: string, plan: Plan): Promise<Plan> {
  if (!plan.questions.every((question) => ASKED_LATE.includes(question.id))) return plan;
  return (await checkOfImport(context, api, id)).plan as Plan;
}

/** How the file was read. */
function writtenAs({ encoding, delimiter, sheet, sheets }: Plan): string {
  if (encoding && delimiter) return `Read as ${encoding}, with a ${delimiter} between cells.`;
  if (sheet) return `Read the sheet ${sheet}${sheets.length > 1 ? ` of ${sheets.join(', ')}` : ''}.`;
  return 'Read as JSON.';
}

/** Prints what the import would do, and discards it. */
async function printChecked(context: Context, api: OperationClient, checked: ImportDetail): Promise<void> {
  await api.discardImport({ path: { id: checked.id } }, context.call);
  const { added, lines } = (checked.plan as Plan).check as NonNullable<Plan['check']>;
  await context.print({ ...checked, dry_run: true }, `${added} of ${counted(lines, 'line')} would be imported.\n`);
}

type Given = NonNullable<InputOf<'changeImport'>['body']>;
type GivenAnswers = NonNullable<Given['answers']>;

interface Answers {
  kind: Given['kind'] | undefined;
  encoding: Given['encoding'] | undefined;
  delimiter: Given['delimiter'] | undefined;
  sheet: string | undefined;
  set: readonly string[];
  product: string | undefined;
  map: readonly string[];
  rename: readonly string[];
  decimal: GivenAnswers['decimal'] | undefined;
  dateOrder: GivenAnswers['date_order'] | undefined;
  price: GivenAnswers['price'] | undefined;
  date: GivenAnswers['date'] | undefined;
  ends: GivenAnswers['ends'] | undefined;
  update: string | undefined;
}

/** The plan of a file that was read, with what the options answer. */
async function answered(context: Context, api: OperationClient, made: ImportDetail, options: Answers): Promise<Plan> {
  const { id } = made;
  const { kind, map, rename, decimal, dateOrder: date_order, price, date, ends, update } = options;
  const { encoding, delimiter, sheet } = options;
  const how = {
    ...(kind !== undefined && kind !== made.kind ? { kind } : {}),
    ...(encoding ? { encoding } : {}),
    ...(delimiter ? { delimiter } : {}),
    ...(sheet === undefined ? {} : { sheet }),
  };
  const other = Object.keys(how).length > 0;
  const known = other ? await api.changeImport({ path: { id }, body: how }, context.call) : made;
  const answers = { decimal, date_order, price, date, ends };
  const planned = await api.changeImport(
    {
      path: { id },
      body: {
        ...(map.length > 0 ? { columns: columnsOf(map, known.plan as Plan) } : {}),
        ...(rename.length > 0
          ? { products: Object.fromEntries(rename.map((pair) => halvesOf(pair, '--rename'))) }
          : {}),
        values: valuesOf(options, known.plan as Plan),
        ...(update === undefined ? {} : { replaces: update }),
        answers: Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined)),
      },
    },
    context.call,
  );
  return planned.plan as Plan;
}

function valuesOf({ product, set }: Answers, { fields }: Plan): Record<string, string> {
  const given = set.map((pair) => {
    const [name, value] = halvesOf(pair, '--set');
    return [fieldNamed(name, fields, `--set "${pair}"`), value] as const;
  });
  return { ...Object.fromEntries(given), ...(product === undefined ? {} : { Product: product }) };
}

/** A column by its name, in any spelling. */
function fieldNamed(name: string, fields: Plan['fields'], option: string): Plan['fields'][number]['column'] {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '');
  const field = fields.find(({ column }) => plain(column) === plain(name));
  if (field) return field.column;
  throw new UsageError(`${option}: a column can be ${fields.map(({ column }) => column).join(', ')}, or nothing.`);
}

function halvesOf(pair: string, option: string): [string, string] {
  const at = pair.lastIndexOf('=');
  if (at < 1) throw new UsageError(`${option} "${pair}" is not of the form theirs=ours.`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

function columnsOf(map: readonly string[], { columns, fields }: Plan) {
  return map.map((pair) => {
    const [head, name] = halvesOf(pair, '--map');
    const found = columns.find((each) => each.head.toLowerCase() === head.toLowerCase());
    if (!found) throw new UsageError(`The file has no column "${head}".`);
    if (name === '') return { index: found.index, column: null };
    return { index: found.index, column: fieldNamed(name, fields, `--map "${pair}"`) };
  });
}

/** Lists what a corrected file changes, before it does. */
function noteChanges(context: Context, { same, changed, new: added, gone, rows }: Changes): void {
  context.note(`${changed} changed, ${added} new, ${gone} gone, ${same} the same.`);
  for (const { what, change, fields } of rows) {
    const how = fields.map(({ column, before, after }) => `${column} ${before ?? '–'} → ${after ?? '–'}`).join(', ');
    context.note(`  ${what}: ${how || change}`);
  }
}
