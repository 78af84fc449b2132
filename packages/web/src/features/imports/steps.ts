import type { ImportCheck, ImportDetail, ImportPlan } from '#lib/types.ts';
import { type Step, steps } from './step-names.ts';

export const stepWords: Record<Step, string> = { read: 'Read', map: 'Map', check: 'Check', run: 'Import' };

/**
 * Questions that may still be open when the file is tried. They change what is booked, not which lines can be taken.
 */
const late = new Set(['price', 'date']);

/** Questions without which not even a trial means anything. */
export const blocking = ({ questions }: Pick<ImportPlan, 'questions'>) => questions.filter(({ id }) => !late.has(id));

/** Whether it is still being prepared: read, mapped and checked. A failed one is, again. */
export const isOpen = ({ state, plan }: Pick<ImportDetail, 'state' | 'plan'>) =>
  plan !== null && (state === 'open' || state === 'checking' || state === 'failed');

/** Whether the server is at it. */
export const isMoving = ({ state }: Pick<ImportDetail, 'state'>) =>
  state === 'checking' || state === 'running' || state === 'undoing';

/** The step at which somebody goes on who comes back to an unfinished import. */
export function resumedAt(plan: ImportPlan): Step {
  if (plan.check) return 'check';
  if (plan.revision > 1 || blocking(plan).length > 0) return 'map';
  return 'read';
}

/** The reason why a step cannot be opened; null when it can. */
export function barrier(step: Step, plan: ImportPlan): string | null {
  if (step === 'read' || step === 'map') return null;
  const open = blocking(plan);
  if (open.length > 0) return open.length === 1 ? 'A question is open.' : `${open.length} questions are open.`;
  if (step === 'check') return null;
  if (!plan.check) return 'Check the file first.';
  if (plan.questions.length > 0) return 'A question about the sales is open.';
  return plan.check.added === 0 ? 'There is nothing to import.' : null;
}

/** The step that is shown: the one that was asked for, or the last before it that can be opened. */
export function shownStep(asked: Step | undefined, plan: ImportPlan): Step {
  const wanted = asked ?? resumedAt(plan);
  const open = steps.slice(0, steps.indexOf(wanted) + 1).filter((step) => barrier(step, plan) === null);
  return open.at(-1) ?? 'read';
}

/** Heads of columns that nothing will be done with. */
export const unusedHeads = ({ columns }: Pick<ImportPlan, 'columns'>): string[] =>
  columns.filter(({ column }) => column === null).map(({ head }) => head);

/** As many columns as a page shows at once. */
export const PAGE_OF_COLUMNS = 40;

/** The columns that are shown first: all of a usual file; of a very wide one, those that are used and the first others. */
export function firstColumns<Column extends { column: string | null }>(columns: readonly Column[]): readonly Column[] {
  if (columns.length <= PAGE_OF_COLUMNS) return columns;
  let others = PAGE_OF_COLUMNS - columns.filter(({ column }) => column !== null).length;
  return columns.filter(({ column }) => column !== null || others-- > 0);
}

/** Fields that no column is, of which all lines can have the same. */
export function openFields({ columns, fields, values }: Pick<ImportPlan, 'columns' | 'fields' | 'values'>) {
  const taken = new Set(columns.map(({ column }) => column));
  return fields.filter(({ column, one_value }) => one_value && !taken.has(column) && values[column] === undefined);
}

/** How far a running import is, from 0 to 1; null where nobody knows how many lines there are. */
export function fractionOf({ lines, plan }: Pick<ImportDetail, 'lines' | 'plan'>): number | null {
  const all = plan?.check?.lines ?? 0;
  return all > 0 ? Math.min(1, lines / all) : null;
}

/** The fields that checked lines have anything in, in the order of the file; those that all lines have the same come last. */
export function shownFields({ columns }: Pick<ImportPlan, 'columns'>, rows: ImportCheck['rows']): string[] {
  const places = new Map(columns.map(({ column }, place) => [column as string | null, place]));
  const place = (name: string) => places.get(name) ?? columns.length;
  return Object.keys(rows[0] ?? {})
    .filter(
      (name) => name !== 'line' && name !== 'refused' && rows.some((row) => row[name] !== null && row[name] !== ''),
    )
    .sort((a, b) => place(a) - place(b));
}

/** The product that a refusal misses, as the file calls it. */
export function missingProduct(reason: string): string | null {
  const name = /^No product is named "(.*)"\.$/s.exec(reason)?.[1];
  return name === undefined || name === '…' ? null : name;
}
