import { type Finding, type Standing, type StandingCode, standingCodes } from '#features/customers';
import type { Columns } from '#platform/db/tables.ts';
import { toDollars } from '#platform/money.ts';
import { startInWords } from '#platform/time/dates-in-words.ts';
import { dayOf, daysBetween } from '#platform/time/days.ts';
import { DOWNLOAD_LIMIT } from '../redeemed/download-count.ts';
import { obstacleOf, type StockState } from '../rules/availability-rules.ts';

/** A serial as somebody at a support desk sees it. */
export interface StandingFacts
  extends StockState,
    Columns<'serials', 'id' | 'code' | 'download_count' | 'seats_used'>,
    Columns<'batches', 'product_id'> {
  product_name: string;
  /** When the last allowed download was made. */
  limit_since: Date | null;
  max_activations: number;
  /** When the last seat was taken. */
  seats_since: Date | null;
  /** The newest refusal that nothing has settled since. */
  refused_at: Date | null;
  refused_status: string | null;
}

/** The viewer of a standing, and when they look. */
export interface Viewer {
  now: Date;
  timeZone: string;
  /** The price of setting the downloads back, in cents. */
  resetCents: number;
}

/**
 * Reasons for refusals to plugins that the serial itself doesn't show. Other reasons (revoked, expired, no seat) are
 * found at the serial for as long as they hold.
 */
const refusals: Record<string, string> = {
  product_mismatch: 'wrong product',
  email_mismatch: 'wrong email address',
  email_required: 'no email address',
  churn_limit: 'too many new machines',
  leased: 'the seat belongs to an offline license',
  not_activated: 'the machine has no seat',
  invalid_token: 'wrong validation token',
  quota_blocked: 'your plan’s redemptions were used up',
};
export const lastingRefusals = Object.keys(refusals);

type Found = Pick<Finding, 'code' | 'message' | 'since' | 'mends'>;

/** All that is wrong with a serial, the most serious first; `in_order` when nothing is. */
export function standingOf(facts: StandingFacts, viewer: Viewer): Standing {
  const { id: serial_id, code: serial, product_id, product_name } = facts;
  const about = { serial_id, serial, product_id, product_name };
  const [first, ...also] = findings(facts, viewer).map((found) => ({ ...found, ...about }));
  return { ...(first as Finding), also };
}

/** A customer's serials together. */
export function standingOfAll(serials: StandingFacts[], viewer: Viewer): Standing {
  const all = serials
    .map((facts) => standingOf(facts, viewer))
    .flatMap(({ also, ...first }) => [first, ...also])
    .filter(({ code }) => code !== 'in_order');
  const [first, ...also] = all.sort((a, b) => weight(a.code) - weight(b.code));
  if (first) return { ...first, also: also.slice(0, MOST) };
  const none = serials.length === 0;
  return {
    ...found(none ? 'no_serials' : 'in_order', none ? 'No serial yet' : IN_ORDER),
    serial_id: null,
    serial: null,
    product_id: null,
    product_name: null,
    also: [],
  };
}

const MOST = 20;
const IN_ORDER = 'Everything is in order';
const weight = (code: StandingCode) => standingCodes.indexOf(code);

function found(code: StandingCode, message: string, since: Date | null = null, ...mends: Found['mends']): Found {
  return { code, message, since, mends };
}

const mend = (action: Found['mends'][number]['action'], label: string, cents = 0) => ({
  action,
  label,
  cost: toDollars(cents),
});

function findings(facts: StandingFacts, viewer: Viewer): Found[] {
  const blocked = blockedBy(facts, viewer);
  // a serial that is blocked is not reported as full, too
  if (blocked) return [blocked];
  const list: Found[] = [];
  if (facts.redeemed_at !== null && facts.download_count >= DOWNLOAD_LIMIT) {
    const reset = mend('reset_downloads', 'Reset downloads', viewer.resetCents);
    list.push(found('download_limit', 'Download limit reached', facts.limit_since, reset));
  }
  if (facts.seats_used >= facts.max_activations) {
    const seats = facts.max_activations === 1 ? 'The only seat is taken' : `All ${facts.max_activations} seats taken`;
    const mends = [mend('release_machine', 'Release a seat'), mend('add_seats', 'Add seats')];
    list.push(found('seats_taken', seats, facts.seats_since, ...mends));
  }
  const refused = refusalOf(facts, viewer);
  if (refused) list.push(refused);
  if (list.length > 0) return list;
  if (facts.redeemed_at !== null) return [found('in_order', IN_ORDER)];
  return facts.handed_out_at === null
    ? [found('available', 'Ready to be redeemed')]
    : [found('handed_out', 'Handed out, and not redeemed yet', facts.handed_out_at)];
}

function blockedBy(facts: StandingFacts, { now, timeZone }: Viewer): Found | null {
  switch (obstacleOf(facts, now)) {
    case 'revoked':
      return found('revoked', 'Revoked', facts.revoked_at, mend('reassign', 'Reassign'));
    case 'product_deleted':
      return found('product_deleted', 'The product was deleted');
    case 'expired':
      return found('expired', 'Expired', facts.expires_at, mend('extend_batch', 'Extend the batch'));
    case 'draft':
      return found('draft', 'The product is a draft', null, mend('submit_product', 'Submit the product'));
    case 'not_yet_valid':
      return found('not_yet_valid', notBefore(facts, timeZone), null, mend('change_start', 'Change the start'));
    default:
      return null;
  }
}

function notBefore({ promo_start }: StandingFacts, timeZone: string): string {
  return `Can’t be redeemed before ${startInWords(promo_start as Date, timeZone)}`;
}

function refusalOf({ refused_at, refused_status, redeemed_at }: StandingFacts, viewer: Viewer): Found | null {
  const reason = refused_status === null ? undefined : refusals[refused_status];
  if (!reason || refused_at === null) return null;
  const ofPlan = refused_status === 'quota_blocked';
  // it was redeemed after all
  if (ofPlan && redeemed_at !== null) return null;
  const mends = ofPlan ? [mend('change_plan', 'Change the plan')] : [];
  return found('refused', `Refused ${dayAgo(refused_at, viewer)}: ${reason}`, refused_at, ...mends);
}

function dayAgo(at: Date, { now, timeZone }: Viewer): string {
  const days = daysBetween(dayOf(at, timeZone), dayOf(now, timeZone));
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
