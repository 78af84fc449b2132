import path from 'node:path';
import type { ImportDetail } from '@tonerow/sdk';
import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text, texts } from '#define/option-types.ts';
import { PartialError, UsageError } from '#exit.ts';
import { endOfImport, OpenQuestions } from '#input/import-steps.ts';
import { fileOf } from '#input/local-file.ts';
import { counted, list } from '#output/table.ts';
import type { Context } from '#run/context.ts';

type Plan = NonNullable<ImportDetail['plan']>;
type Changes = NonNullable<NonNullable<Plan['check']>['changes']>;

export const importCommand = defineCommand({
  path: 'import',
  summary: 'Import a file of any origin: what it has is found out, checked and shown first',
  operations: ['createImport', 'changeImport', 'checkImport', 'runImport', 'getImport'],
  args: [['<file>', 'a CSV file or the like, or an Excel workbook']],
  options: {
    kind: choice('<kind>', 'redeemed, available or customers, where that is not found out', {
      values: ['redeemed', 'available', 'customers'],
    }),
    product: text('<name>', 'the product of all lines'),
    map: texts('<head=column>', 'what a column is, such as "Price=Total Price"; "Price=" leaves it out'),
    decimal: choice('<sign>', 'point or comma before cents, where the file does not show it', {
      values: ['point', 'comma'],
    }),
    dateOrder: choice('<order>', 'dmy or mdy: what 03/04/2026 means, where the file does not show it', {
      values: ['dmy', 'mdy'],
    }),
    price: choice('<current>', 'current: book sales without a price at what the product costs today', {
      values: ['current'],
    }),
    date: choice('<today>', 'today: book sales without a date today', { values: ['today'] }),
    ends: choice('<what>', 'revoke or ignore: what becomes of the ends of licenses in the file', {
      values: ['revoke', 'ignore'],
    }),
    update: text('<id>', 'an earlier import that this file corrects, from "tonerow imports list": it is taken back'),
    ...YES,
  },
  examples: [
    'tonerow import sales.xlsx',
    'tonerow import corrected.csv --update 01900000-0000-7000-8000-000000000001',
    'tonerow import orders.csv --product "Prism Delay" --map "Key=Serial" --decimal comma --yes',
  ],
  async run({ context, args: [file], options }) {
    const api = await context.api();
    const source = await fileOf(file);
    const made = await api.createImport({ body: { file: source } }, context.call);
    const { id } = made;
    const { kind, product, decimal, dateOrder: date_order, price, date, ends, update } = options;
    if (kind && kind !== made.kind) await api.changeImport({ path: { id }, body: { kind } }, context.call);
    const answers = { decimal, date_order, price, date, ends };
    const planned = await api.changeImport(
      {
        path: { id },
        body: {
          ...(options.map.length > 0 ? { columns: columnsOf(options.map, made.plan as Plan) } : {}),
          ...(product === undefined ? {} : { values: { Product: product } }),
          ...(update === undefined ? {} : { replaces: update }),
          answers: Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined)),
        },
      },
      context.call,
    );
    const plan = planned.plan as Plan;
    if (plan.preset_name) context.note(`  This is a file of ${plan.preset_name}.`);
    for (const { head, column } of plan.columns)
      context.note(column === null ? `  ${head}: not used` : `  ${head}: ${column}`);
    if (plan.questions.length > 0)
      throw new OpenQuestions(
        [
          'Nothing was imported yet.',
          ...plan.questions.map(({ message }) => message),
          `The file waits in the dashboard under Imports, until "tonerow imports discard ${id}".`,
        ].join('\n'),
      );
    const check = (await api.checkImport({ path: { id } }, context.call)).plan?.check as NonNullable<Plan['check']>;
    if (check.changes) noteChanges(context, check.changes);
    for (const { reason, count } of check.reasons.slice(0, 20)) context.note(`  ${counted(count, 'line')}: ${reason}`);
    await context.confirm(options.yes, `Import ${check.added} of ${check.lines} lines of ${path.basename(file)}?`);
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

function columnsOf(map: readonly string[], { columns }: Plan) {
  return map.map((pair) => {
    const at = pair.lastIndexOf('=');
    const [head, column] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    const found = columns.find((each) => each.head.toLowerCase() === head.toLowerCase());
    if (at < 1 || !found) throw new UsageError(`The file has no column "${head || pair}".`);
    return { index: found.index, column: (column === '' ? null : column) as (typeof found)['column'] };
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
