import { toDollars } from '#platform/money.ts';
import { withoutAddresses } from '../addresses.ts';
import { columnsOf, ownColumns, requiredOf } from '../columns/fields.ts';
import { headName } from '../columns/source-table.ts';
import type { ImportView } from '../imports.schemas.ts';
import type { StoredPlan } from './assistant.queries.ts';
import type { ImportDetail, ImportPlanView } from './assistant.schemas.ts';
import { type Checked, questionsOf } from './plan.ts';
import { presetName } from './presets.ts';

/** An import as it is shown. @param people whether the caller may see who is in the file */
export function viewOf(
  found: ImportView,
  stored: StoredPlan | undefined,
  { names, people }: { names: readonly string[]; people: boolean },
): ImportDetail {
  const shown = people
    ? found
    : {
        ...found,
        unused_columns: found.unused_columns.map(withoutAddresses),
        error: found.error && withoutAddresses(found.error),
      };
  return { ...shown, plan: stored ? planView(stored, names, people) : null };
}

function planView({ plan, checked, revision }: StoredPlan, names: readonly string[], people: boolean): ImportPlanView {
  const { dialect, answers } = plan;
  const questions = questionsOf(plan, { productNames: names, checked });
  return {
    revision,
    preset: plan.preset,
    preset_name: plan.preset && presetName(plan.preset),
    format: dialect.format,
    encoding: dialect.format === 'csv' ? dialect.encoding : null,
    delimiter: dialect.format === 'csv' ? dialect.delimiter : null,
    sheet: dialect.format === 'xlsx' ? dialect.sheet : null,
    sheets: dialect.format === 'xlsx' ? dialect.sheets : [],
    columns: plan.columns.map(({ head, examples }, index) => ({
      index,
      head: people ? headName(head, index) : withoutAddresses(headName(head, index)),
      examples: people ? examples : [],
      column: plan.mapping[index] ?? null,
    })),
    fields: columnsOf[plan.kind].map((column) => ({
      column,
      required: requiredOf[plan.kind].includes(column),
      one_value: !ownColumns.has(column),
    })),
    replaces: plan.replaces ?? null,
    values: plan.values,
    products: plan.products,
    answers: {
      decimal: answers.decimal ?? null,
      date_order: answers.date_order ?? null,
      price: answers.price ?? null,
      date: answers.date ?? null,
      ends: answers.ends ?? null,
    },
    questions: people ? questions : questions.map((each) => ({ ...each, message: withoutAddresses(each.message) })),
    check: checked && checkView(checked, people),
  };
}

function checkView(
  { amount_cents, at, changes = null, unpriced, undated = 0, ...checked }: Checked,
  people: boolean,
): ImportPlanView['check'] {
  return {
    ...checked,
    at: new Date(at),
    amount: toDollars(amount_cents),
    unpriced: unpriced?.count ?? 0,
    undated,
    rows: people ? checked.rows : [],
    changes: changes && (people ? changes : { ...changes, rows: [] }),
    reasons: people
      ? checked.reasons
      : checked.reasons.map(({ example, ...each }) => ({
          ...each,
          example: { ...example, reason: withoutAddresses(example.reason) },
        })),
  };
}
