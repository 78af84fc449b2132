import type { EgressAnswer } from '#platform/egress/answer.ts';
import type { Random } from '#platform/random.ts';
import type { DeliveryState } from './deliveries.schemas.ts';
import type { Due } from './due.ts';
import { DELAYS, delayAfter, retryAfterOf } from './schedule.ts';

/** An attempt that came to its end. */
export interface Outcome {
  due: Due;
  answer: EgressAnswer;
  startedAt: Date;
  endedAt: Date;
  signature: string;
}

/** The status of an address that is gone. */
export const GONE = 410;
const HEEDED = new Set([429, 503]);

/** The state of a delivery after an attempt. */
export function settle({ due, answer, endedAt }: Outcome, random: Pick<Random, 'bytes'>) {
  const used = due.position < DELAYS.length;
  // the first one counts; sent again by hand, it does not use up its schedule
  const counts = used && (due.position === 0 || due.trigger !== 'manual');
  const position = counts ? due.position + 1 : due.position;
  if (answer.error === null) return { state: 'delivered' as DeliveryState, position, next: null, deliveredAt: endedAt };
  const wish =
    answer.status !== null && HEEDED.has(answer.status) ? retryAfterOf(answer.headers?.['retry-after'], endedAt) : null;
  const delay = used && answer.status !== GONE ? delayAfter(position, wish, random) : null;
  // one that arrived before, and was sent again by hand, stays delivered
  const over: DeliveryState = due.delivered_at === null ? 'failed' : 'delivered';
  return {
    state: delay === null ? over : ('waiting' as DeliveryState),
    position: answer.status === GONE ? DELAYS.length : position,
    next: delay === null ? null : new Date(endedAt.getTime() + delay),
    deliveredAt: null,
  };
}

/** An attempt with the state of its delivery after it. */
export type Settled = Outcome & ReturnType<typeof settle>;
