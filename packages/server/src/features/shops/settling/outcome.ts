import type { LineFacts, Outcome, Question } from '../orders/converge.ts';
import type * as q from '../orders/order-rows.queries.ts';
import type { OrderState, Reason, ReversalState } from '../orders/states.ts';
import { placeOf, unitPlace } from './work.ts';

// The state of an order, and its open questions, after everything possible was done about it.

/** Reasons that are shown, and need no action. */
const FLAGS: ReadonlySet<Reason> = new Set(['list_price']);

/** Reasons that a look at an order settles, without any other action. */
const LOOKED_AT: ReadonlySet<Reason> = new Set([
  'amount_refund',
  'inquiry',
  'canceled',
  'edited_down',
  'no_email',
  'duplicate',
]);

/** A decision about an order's questions. */
export interface Answer {
  decision: 'keep' | 'take';
  /** The units that were refunded; null: all that are asked about. */
  unitIds: readonly string[] | null;
}

export const answersTo =
  ({ unitIds }: Answer) =>
  ({ reason }: Question) =>
    unitIds === null && LOOKED_AT.has(reason);

/** @returns the units that the answer is about. */
export function decide(units: readonly q.UnitRow[], { wishes }: Outcome, { decision, unitIds }: Answer): q.UnitRow[] {
  const asked = new Set(wishes.filter(({ want }) => want === 'ask').map(placeOf));
  const named = unitIds && new Set(unitIds);
  const about = units.filter((unit) => asked.has(unitPlace(unit)) && (!named || named.has(unit.id)));
  for (const unit of about) unit.decision = decision;
  return about;
}

export function factsOf(line: q.LineRow): LineFacts {
  return {
    id: line.id,
    externalId: line.external_id,
    quantity: line.quantity,
    paidQuantity: line.paid_quantity,
    productIds: line.product_ids,
    units: line.units ?? 1,
    isIgnored: line.product_ids?.length === 0,
    usdCents: line.usd_cents,
    netMinor: line.net_minor,
    grossMinor: line.gross_minor,
  };
}

/** The reasons that still have to be looked at. */
export function openOf(questions: readonly Question[], settled: readonly string[]): Reason[] {
  const looked = new Set(settled);
  return [...new Set(questions.filter((each) => !looked.has(markOf(each))).map(({ reason }) => reason))];
}

/** The state of each reversal: an amount that somebody has looked at asks nothing any longer. */
export function statesOf(
  { reversals: states }: Outcome,
  reversals: readonly Pick<q.ReversalRow, 'key' | 'lines'>[],
  reasons: readonly Reason[],
): Map<string, ReversalState> {
  if (reasons.includes('amount_refund')) return states;
  const amounts = new Set(reversals.filter(({ lines }) => lines === null).map(({ key }) => key));
  return new Map(
    [...states].map(([key, state]) => [key, state === 'asked' && amounts.has(key) ? 'applied' : state] as const),
  );
}

/** As it is kept that somebody has looked at it. */
export const markOf = ({ reason, mark }: Question): string => `${reason} ${mark}`.trim();

export function stateOf(
  order: Pick<q.OrderRow, 'version_at' | 'paid_at' | 'canceled_at'>,
  { isRefunded, isDisputed, wishes }: Outcome,
  reasons: readonly Reason[],
  units: readonly q.UnitRow[],
): OrderState {
  if (order.version_at === null) return 'seen';
  if (reasons.some((reason) => !FLAGS.has(reason))) return 'attention';
  if (isDisputed) return 'disputed';
  if (isRefunded) return 'refunded';
  if (order.paid_at === null) return order.canceled_at === null ? 'pending' : 'canceled';
  const isMissing = units.some(({ state }) => state === 'wanted' || state === 'waiting');
  return isMissing || units.length < wishes.length ? 'paid' : 'issued';
}
