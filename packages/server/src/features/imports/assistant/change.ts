import { AppError, invalidField } from '#platform/errors.ts';
import type { SpoolFile } from '#platform/spool/spool-file.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { type Column, columnsOf, ownColumns } from '../columns/fields.ts';
import type { ChangeImport } from './assistant.schemas.ts';
import { fitTo, type Plan, type SourceDialect } from './plan.ts';
import { presetMapping, presetOf } from './presets.ts';
import {
  hasDecimalCommas,
  proposedKind,
  proposedMapping,
  type Sample,
  sampleColumns,
  unclearColumns,
} from './proposal.ts';
import { sampleOf } from './source.ts';

/** How a file is likely to be understood. */
export async function firstPlan(
  file: SpoolFile,
  dialect: SourceDialect,
  productNames: readonly string[],
): Promise<Plan> {
  const sample = await sampleOf(file, dialect);
  const kind = presetOf(sample.head)?.kind ?? proposedKind(sample);
  return planOf(sample, dialect, kind, productNames);
}

function planOf(sample: Sample, dialect: SourceDialect, kind: Plan['kind'], productNames: readonly string[]): Plan {
  const preset = presetOf(sample.head);
  const known = preset?.kind === kind ? preset : null;
  const mapping = known ? presetMapping(known, sample.head) : proposedMapping(sample, kind, productNames);
  return {
    kind,
    preset: known?.id ?? null,
    dialect,
    columns: sampleColumns(sample),
    mapping,
    values: {},
    products: {},
    answers: dialect.format !== 'csv' && !hasDecimalCommas(sample, mapping) ? { decimal: 'point' } : {},
    unclear: unclearColumns(sample, mapping),
  };
}

/**
 * A plan with what a person changed. Another kind, or another way to read the file, proposes its columns anew.
 * @throws {AppError} invalid_request for what the file or the kind does not have
 */
export async function changed(
  plan: Plan,
  form: ChangeImport,
  { file, names }: { file: SpoolFile; names: readonly string[] },
): Promise<Plan> {
  const kind = form.kind ?? plan.kind;
  const dialect = dialectWith(plan.dialect, form);
  const sample = await sampleOf(file, dialect);
  const anew = kind !== plan.kind || JSON.stringify(dialect) !== JSON.stringify(plan.dialect);
  const proposed = planOf(sample, dialect, kind, names);
  const before = anew ? { ...proposed, answers: { ...proposed.answers, ...plan.answers } } : plan;
  // all lines have the same, or what their column has: what was asked for last
  const given = withoutNulls(form.values ?? {});
  const mapped = new Set((form.columns ?? []).flatMap(({ column }) => column ?? []));
  const free = before.mapping.map((column) => (column !== null && given[column] !== undefined ? null : column));
  const mapping = mappingWith(free, form.columns ?? [], kind);
  const twice = [...mapped].find((column) => given[column] !== undefined);
  if (twice)
    throw invalidField('values', `${twice} is a column of the file, or the same in every line. Choose one of them.`);
  return {
    ...before,
    mapping,
    values: valuesWith(withoutThose(before.values, mapped), form.values ?? {}, kind),
    products: productsWith(before.products, form.products ?? {}, names),
    answers: withoutNulls({ ...before.answers, ...form.answers }) as Plan['answers'],
    unclear: unclearColumns(sample, mapping),
  };
}

function dialectWith(dialect: SourceDialect, { encoding, delimiter, sheet }: ChangeImport): SourceDialect {
  if (dialect.format === 'json') {
    const given = Object.entries({ encoding, delimiter, sheet }).find(([, value]) => value !== undefined);
    if (given) throw invalidField(given[0], 'A JSON file is written in one way only.');
    return dialect;
  }
  if (dialect.format === 'csv') {
    if (sheet !== undefined) throw invalidField('sheet', 'This file has no sheets.');
    return { ...dialect, ...(encoding && { encoding }), ...(delimiter && { delimiter }) };
  }
  if (encoding !== undefined || delimiter !== undefined)
    throw invalidField(encoding === undefined ? 'delimiter' : 'encoding', 'This file is no text.');
  if (sheet === undefined) return dialect;
  if (!dialect.sheets.includes(sheet)) throw invalidField('sheet', 'The workbook has no such sheet.');
  return { ...dialect, sheet };
}

function mappingWith(
  mapping: readonly (Column | null)[],
  columns: NonNullable<ChangeImport['columns']>,
  kind: Plan['kind'],
): (Column | null)[] {
  const next = [...mapping];
  for (const { index, column } of columns) {
    if (index >= next.length) throw invalidField('columns', `The file has no column ${index}.`);
    if (column !== null && !columnsOf[kind].includes(column))
      throw invalidField('columns', `${column} is no column of this kind of import.`);
    next[index] = column;
  }
  const twice = next.find((column, place) => column !== null && next.indexOf(column) !== place);
  if (twice) throw invalidField('columns', `Two columns are ${twice}. Choose one of them.`);
  return fitTo(kind, next);
}

function valuesWith(
  values: Plan['values'],
  given: NonNullable<ChangeImport['values']>,
  kind: Plan['kind'],
): Plan['values'] {
  for (const column of Object.keys(given) as Column[]) {
    if (!columnsOf[kind].includes(column))
      throw invalidField('values', `${column} is no column of this kind of import.`);
    if (ownColumns.has(column)) throw invalidField('values', `${column} cannot be the same in every line.`);
  }
  return withoutNulls({ ...values, ...given });
}

const withoutThose = (values: Plan['values'], columns: ReadonlySet<Column>): Plan['values'] =>
  Object.fromEntries(Object.entries(values).filter(([column]) => !columns.has(column as Column)));

function productsWith(
  products: Plan['products'],
  given: NonNullable<ChangeImport['products']>,
  names: readonly string[],
): Plan['products'] {
  const known = new Map(names.map((name) => [nameKey(name), name]));
  const next = withoutNulls({ ...products, ...given }) as Record<string, string>;
  if (Object.keys(next).length > 1000) throw new AppError('invalid_request', 'At most 1,000 products can be renamed.');
  for (const name of Object.values(next))
    if (!known.has(nameKey(name))) throw invalidField('products', `No product is named "${name.slice(0, 100)}".`);
  return next;
}

/** Removes null values: null takes back an earlier answer. */
function withoutNulls<Key extends string, Value>(
  given: Partial<Record<Key, Value>>,
): Partial<Record<Key, NonNullable<Value>>> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as never;
}
