import type { Cents } from '#platform/money.ts';
import type { OnDispute, OnRefund } from '../connections/connections.schemas.ts';
import { shared, sharedByWorth } from '../money.ts';
import type { Reason, ReversalKind, ReversalState, UnitState } from './states.ts';

// Derives the wanted serials of an order from all known facts, in whatever order they came. Pure: the same facts give
// the same wishes.

export interface LineFacts {
  id: string;
  externalId: string;
  /** The quantity in the newest version of the order. */
  quantity: number;
  /** The most that was ever paid for. */
  paidQuantity: number;
  /** The products of one piece; null: it is not mapped. */
  productIds: readonly string[] | null;
  units: number;
  /** A renewal that gives nothing. */
  isIgnored: boolean;
  /** The price of all that was paid for; null: not known. */
  usdCents: Cents | null;
  netMinor: number;
  /** Its part of what was paid in all, with tax; null: not known. */
  grossMinor: number | null;
}

export interface ReversalFacts {
  key: string;
  kind: ReversalKind;
  isWhole: boolean;
  lines: readonly { id: string; quantity: number }[] | null;
  amountMinor: number | null;
  /** The amount is without tax. */
  isNet: boolean;
  undoes: string | null;
}

export interface UnitFacts {
  lineId: string;
  n: number;
  state: UnitState;
  /** Whether a customer has it. */
  isRedeemed: boolean;
  decision: 'keep' | 'take' | null;
}

export interface OrderFacts {
  isPaid: boolean;
  isCanceled: boolean;
  lines: readonly LineFacts[];
  reversals: readonly ReversalFacts[];
  units: readonly UnitFacts[];
  onRefund: OnRefund;
  onDispute: OnDispute;
}

/** `ask`: its money went back, and somebody has to decide whether it stays. */
export type Want = 'have' | 'suspended' | 'gone' | 'kept' | 'ask';

/** The wanted state of one unit. */
export interface Wish {
  lineId: string;
  n: number;
  productId: string;
  want: Want;
  usdCents: Cents | null;
  /** The part of its price that was given back; null: all of it, whatever it is. */
  backCents: Cents | null;
  /** Why. */
  by: 'refund' | 'chargeback';
}

/** A question that somebody has to look at; the mark changes when there is more of it. */
export interface Question {
  reason: Reason;
  mark: string;
}

export interface Outcome {
  wishes: Wish[];
  reversals: Map<string, ReversalState>;
  questions: Question[];
  isRefunded: boolean;
  isDisputed: boolean;
}

/** The units of one piece of a line, such as the two products of a bundle. */
const unitsPerPiece = ({ productIds, units }: LineFacts): number => (productIds?.length ?? 0) * units;

export function converge(order: OrderFacts): Outcome {
  const undone = new Set(
    order.reversals.flatMap(({ kind, undoes }) => (kind === 'reinstatement' ? (undoes ?? []) : [])),
  );
  const active = order.reversals.filter(({ key, kind }) => kind !== 'reinstatement' && !undone.has(key));
  const refunds = active.filter(({ kind }) => kind === 'refund');
  const disputes = active.filter(({ kind }) => kind === 'chargeback');
  const amounts = refunds.filter(({ isWhole, lines }) => !isWhole && lines === null);
  const reversed = new Map(order.lines.map((line) => [line.id, reversedOf(line, refunds)]));
  const isWhole =
    refunds.some((each) => each.isWhole) ||
    (refunds.length > 0 &&
      order.lines.length > 0 &&
      order.lines.every((line) => (reversed.get(line.id) as number) >= line.paidQuantity));
  const wishes = order.isPaid
    ? order.lines.flatMap((line) =>
        wishesOf(line, order, { reversed: reversed.get(line.id) as number, isWhole, disputes }),
      )
    : [];
  spreadAmount(wishes, centsOf(order.lines, amounts));
  const questions = order.isPaid ? questionsOf(order, { active, amounts, reversed, isWhole, wishes }) : [];
  return {
    wishes,
    questions,
    reversals: statesOf(order, { undone, wishes, isWhole }),
    isRefunded: order.isPaid && isWhole,
    isDisputed: order.isPaid && disputes.length > 0,
  };
}

/**
 * The sum in dollars of refunds that name no line: the same share of the dollars as of the price paid. The price
 * counts with tax if that is known for the order and the refund is not without tax.
 */
function centsOf(lines: readonly LineFacts[], amounts: readonly ReversalFacts[]): Cents {
  const known = lines.filter(({ usdCents }) => usdCents !== null);
  const sum = (of: (line: LineFacts) => number) => known.reduce((total, line) => total + of(line), 0);
  const net = sum(({ netMinor }) => netMinor);
  const gross = sum(({ grossMinor, netMinor }) => grossMinor ?? netMinor);
  if (net === 0 || gross === 0) return 0;
  const [without, withTax] = [amounts.filter(({ isNet }) => isNet), amounts.filter(({ isNet }) => !isNet)];
  const dollars = sum(({ usdCents }) => usdCents ?? 0);
  return Math.round((amountOf(without) * dollars) / net + (amountOf(withTax) * dollars) / gross);
}

/** The sum of refunds. Some shops only report the total refunded so far: the largest of those totals counts. */
function amountOf(amounts: readonly ReversalFacts[]): number {
  const totals = amounts.filter(({ key }) => key.startsWith('cum:')).map(({ amountMinor }) => amountMinor ?? 0);
  const single = amounts.filter(({ key }) => !key.startsWith('cum:'));
  return single.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), Math.max(0, ...totals));
}

/** How many pieces of a line were refunded. */
function reversedOf(line: LineFacts, refunds: readonly ReversalFacts[]): number {
  const named = refunds
    .flatMap(({ lines }) => lines ?? [])
    .filter(({ id }) => id === line.externalId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return Math.min(line.paidQuantity, named);
}

/** A piece of a line, with the state of its units. */
interface Piece {
  q: number;
  isTaken: boolean;
  isRedeemed: boolean;
}

/** Those that a refund takes: the ones it took already, then what nobody has redeemed, then the last. */
function takenPieces(line: LineFacts, units: readonly UnitFacts[], count: number): Set<number> {
  const per = unitsPerPiece(line);
  const pieces: Piece[] = Array.from({ length: line.paidQuantity }, (_, q) => {
    const own = units.filter(({ n }) => Math.floor(n / per) === q);
    return {
      q,
      isTaken: own.some(({ state, decision }) => state === 'revoked' || state === 'kept' || decision !== null),
      isRedeemed: own.some(({ isRedeemed }) => isRedeemed),
    };
  });
  pieces.sort(
    (a, b) => Number(b.isTaken) - Number(a.isTaken) || Number(a.isRedeemed) - Number(b.isRedeemed) || b.q - a.q,
  );
  return new Set(pieces.slice(0, count).map(({ q }) => q));
}

function wishesOf(
  line: LineFacts,
  { units, onRefund, onDispute }: OrderFacts,
  { reversed, isWhole, disputes }: { reversed: number; isWhole: boolean; disputes: readonly ReversalFacts[] },
): Wish[] {
  if (line.productIds === null || line.isIgnored) return [];
  const own = units.filter(({ lineId }) => lineId === line.id);
  const known = new Map(own.map((unit) => [unit.n, unit]));
  const per = unitsPerPiece(line);
  const count = line.paidQuantity * per;
  const cents = line.usdCents === null ? null : shared(line.usdCents, count);
  const taken = reversed === 0 ? new Set<number>() : takenPieces(line, own, reversed);
  const isDisputed = disputes.some(({ lines }) => lines === null || lines.some(({ id }) => id === line.externalId));
  return Array.from({ length: count }, (_, n) => {
    const unit = known.get(n);
    const isBack = isWhole || taken.has(Math.floor(n / per));
    const afterRefund = isBack ? afterRefundOf(unit, isWhole, onRefund) : 'have';
    const want =
      isDisputed && afterRefund !== 'gone'
        ? onDispute === 'suspend'
          ? ('suspended' as const)
          : ('gone' as const)
        : afterRefund;
    const usdCents = cents?.[n] ?? null;
    return {
      lineId: line.id,
      n,
      productId: line.productIds?.[n % line.productIds.length] as string,
      want,
      usdCents,
      backCents: isBack || isDisputed ? usdCents : 0,
      by: isBack ? ('refund' as const) : ('chargeback' as const),
    };
  });
}

function afterRefundOf(unit: UnitFacts | undefined, isWhole: boolean, onRefund: OnRefund): Want {
  if (unit?.decision === 'keep') return 'kept';
  if (!unit?.isRedeemed || unit.decision === 'take' || isWhole) return 'gone';
  return onRefund === 'revoke' ? 'gone' : onRefund === 'keep' ? 'kept' : 'ask';
}

/** An amount that names nothing takes no serial: it lowers what was paid for those that are left, by their worth. */
function spreadAmount(wishes: Wish[], amount: Cents): void {
  if (amount <= 0) return;
  const left = wishes.filter(({ backCents, usdCents }) => backCents === 0 && usdCents !== null);
  const shares = sharedByWorth(
    amount,
    left.map(({ usdCents }) => usdCents as number),
  );
  for (const [at, wish] of left.entries()) {
    wish.backCents = shares[at] as number;
    wish.by = 'refund';
  }
}

function questionsOf(
  { isCanceled, lines }: OrderFacts,
  {
    active,
    amounts,
    reversed,
    isWhole,
    wishes,
  }: {
    active: readonly ReversalFacts[];
    amounts: readonly ReversalFacts[];
    reversed: ReadonlyMap<string, number>;
    isWhole: boolean;
    wishes: readonly Wish[];
  },
): Question[] {
  const keysOf = (some: readonly ReversalFacts[]) =>
    some
      .map(({ key }) => key)
      .sort()
      .join(' ');
  const inquiries = active.filter(({ kind }) => kind === 'inquiry');
  const asked = wishes.filter(({ want }) => want === 'ask');
  const questions: (Question | false)[] = [
    !isWhole &&
      lines.some((line) => line.productIds === null && (reversed.get(line.id) as number) < line.paidQuantity) && {
        reason: 'unmapped',
        mark: '',
      },
    asked.length > 0 && { reason: 'refund_asks', mark: asked.map(({ lineId, n }) => `${lineId} ${n}`).join(' ') },
    amounts.length > 0 && !isWhole && { reason: 'amount_refund', mark: keysOf(amounts) },
    inquiries.length > 0 && { reason: 'inquiry', mark: keysOf(inquiries) },
    isCanceled && !isWhole && { reason: 'canceled', mark: '' },
    !isWhole &&
      lines.some((line) => line.quantity < line.paidQuantity - (reversed.get(line.id) as number)) && {
        reason: 'edited_down',
        mark: lines.map(({ quantity }) => quantity).join(' '),
      },
  ];
  return questions.filter((question) => question !== false);
}

/** The state of each reversal. */
function statesOf(
  order: OrderFacts,
  { undone, wishes, isWhole }: { undone: ReadonlySet<string>; wishes: readonly Wish[]; isWhole: boolean },
): Map<string, ReversalState> {
  const lines = new Map(order.lines.map((line) => [line.externalId, line]));
  const asks = new Set(wishes.filter(({ want }) => want === 'ask').map(({ lineId }) => lineId));
  const stateOf = ({ key, kind, lines: named }: ReversalFacts): ReversalState => {
    if (undone.has(key)) return 'undone';
    if (!order.isPaid || named?.some(({ id }) => !lines.has(id))) return 'seen';
    // once all of it went back, an earlier amount asks nothing either
    if (kind !== 'refund' || isWhole) return 'applied';
    const isAsked = named === null || named.some(({ id }) => asks.has(lines.get(id)?.id ?? ''));
    return isAsked ? 'asked' : 'applied';
  };
  return new Map(order.reversals.map((reversal) => [reversal.key, stateOf(reversal)]));
}
