import { z } from 'zod';
import { Resync } from '../../platform/events.ts';
import { billing } from '../billing/index.ts';
import { deals } from '../deals/index.ts';
import { draws } from '../draws/index.ts';
import { imports } from '../imports/index.ts';
import { licensing } from '../licensing/index.ts';
import { partnerships } from '../partnerships/index.ts';
import { payouts } from '../payouts/index.ts';
import { plans } from '../plans/index.ts';
import { redemption } from '../redemption/index.ts';
import { serials } from '../serials/index.ts';
import { webhooks } from '../webhooks/index.ts';

/** The events of every feature that declares some, and the one of the stream itself. */
const events = [
  ...redemption.events,
  ...imports.events,
  ...serials.events,
  ...plans.events,
  ...licensing.events,
  ...partnerships.events,
  ...deals.events,
  ...draws.events,
  ...billing.events,
  ...payouts.events,
  ...webhooks.events,
  Resync,
] as const;

export const LiveEvent = z.discriminatedUnion('type', events).meta({
  id: 'LiveEvent',
  description: 'One event of the stream: `type` is its name (`event:`), `data` its JSON (`data:`).',
});
/** As it is sent. */
export type LiveEvent = z.input<typeof LiveEvent>;
