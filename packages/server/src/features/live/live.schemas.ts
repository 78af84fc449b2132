import { z } from 'zod';
import { Resync } from '../../platform/events.ts';
import { BillingEvent, CardEvent } from '../billing/index.ts';
import { DealsEvent } from '../deals/index.ts';
import { StockEvent } from '../draws/index.ts';
import { ImportEvent } from '../imports/index.ts';
import { LicenseRefusedEvent } from '../licensing/index.ts';
import { InvitesEvent, PartnershipsEvent } from '../partnerships/index.ts';
import { PayoutEvent } from '../payouts/index.ts';
import { UsageEvent } from '../plans/index.ts';
import { RedemptionEvent, RefundEvent, SaleEvent } from '../redemption/index.ts';
import { LowSerialsEvent } from '../serials/index.ts';
import { WebhookFailing, WebhookNotice } from '../webhooks/index.ts';

/** All that can be published: a feature declares its events, and each of them has a place here. */
export const PublishedEvent = z.discriminatedUnion('type', [
  RedemptionEvent,
  RefundEvent,
  SaleEvent,
  ImportEvent,
  LowSerialsEvent,
  UsageEvent,
  LicenseRefusedEvent,
  InvitesEvent,
  DealsEvent,
  PartnershipsEvent,
  StockEvent,
  BillingEvent,
  CardEvent,
  PayoutEvent,
  WebhookNotice,
  WebhookFailing,
]);

export const LiveEvent = z.discriminatedUnion('type', [...PublishedEvent.options, Resync]).meta({
  id: 'LiveEvent',
  description: 'One event of the stream: `type` is its name (`event:`), `data` its JSON (`data:`).',
});
/** As it is sent. */
export type LiveEvent = z.input<typeof LiveEvent>;
