import { z } from 'zod';
import { billing } from '#features/billing';
import { deals } from '#features/deals';
import { draws } from '#features/draws';
import { imports } from '#features/imports';
import { licensing } from '#features/licensing';
import { partnerships } from '#features/partnerships';
import { payouts } from '#features/payouts';
import { plans } from '#features/plans';
import { redemption } from '#features/redemption';
import { serials } from '#features/serials';
import { shops } from '#features/shops';
import { webhooks } from '#features/webhooks';
import { REMEMBERED_SECONDS, Resync } from '#platform/events.ts';

export const StreamQuery = z.object({
  behind: z.coerce
    .number()
    .int()
    .min(0)
    .max(REMEMBERED_SECONDS)
    .optional()
    .describe('Seconds since the caller fetched its lists: `resync` comes first if something may have happened since.'),
});

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
  ...shops.events,
  Resync,
] as const;

export const LiveEvent = z.discriminatedUnion('type', events).meta({
  id: 'LiveEvent',
  description: 'One event of the stream: `type` is its name (`event:`), `data` its JSON (`data:`).',
});
/** As it is sent. */
export type LiveEvent = z.input<typeof LiveEvent>;
