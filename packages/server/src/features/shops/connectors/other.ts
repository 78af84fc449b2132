import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import type { Connector, Inbound, Label, Reading, ReversalSnapshot, Verdict } from './port.ts';
import { bodyIn, idIn, problemIn } from './reading.ts';
import { Decimal, linesOf, orderOf, Quantity, ShopId, saleFields, saleLine } from './sale.schemas.ts';
import { headerOf, isSigned } from './signatures.ts';

// Any shop, or a program between one and us, that signs as Standard Webhooks 1.0 does.

const TOLERANCE = 300 * SECOND;
const PREFIX = 'whsec_';

const Moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const Sale = z.object({
  ...saleFields,
  paid_at: Moment.nullish(),
  lines: linesOf(z.object(saleLine)),
});
const Refund = z.object({
  order: ShopId,
  refund: ShopId,
  lines: z
    .array(z.object({ id: ShopId, quantity: Quantity }))
    .min(1)
    .nullish(),
  amount: Decimal.nullish(),
});
const Dispute = z.object({ order: ShopId, refund: ShopId });

const head = { timestamp: Moment };
const SaleEvent = z.object({ type: z.enum(['sale.created', 'sale.updated']), ...head, data: Sale });
const RefundEvent = z.object({ type: z.literal('sale.refunded'), ...head, data: Refund });
const DisputeEvent = z.object({ type: z.enum(['sale.disputed', 'sale.dispute_won']), ...head, data: Dispute });
const Event = z.discriminatedUnion('type', [SaleEvent, RefundEvent, DisputeEvent]);
const types = new Set(['sale.created', 'sale.updated', 'sale.refunded', 'sale.disputed', 'sale.dispute_won']);

export const other: Connector = {
  verify({ headers, body, now }: Inbound, secrets: readonly string[]): Verdict {
    const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
    const signature = headerOf(headers, 'webhook-signature');
    if (!id || !timestamp || !signature)
      return { ok: false, why: 'It has no webhook-id, webhook-timestamp or webhook-signature.' };
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now.getTime() - Number(timestamp) * SECOND) > TOLERANCE)
      return { ok: false, why: 'Its webhook-timestamp is more than five minutes from now.' };
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
    const signatures = signature.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
    const keys = secrets.map((secret) => Buffer.from(secret.replace(PREFIX, ''), 'base64'));
    return isSigned(signed, { signatures, secrets: keys, encoding: 'base64' })
      ? { ok: true }
      : { ok: false, why: 'It is signed with another secret, or its body was changed on the way.' };
  },

  label({ headers, body }): Label {
    const json = bodyIn(body);
    const data = (json?.data ?? {}) as Record<string, unknown>;
    const event = typeof json?.type === 'string' ? json.type : 'unknown';
    return {
      key: headerOf(headers, 'webhook-id').slice(0, 300) || null,
      event: event.slice(0, 100),
      orderKey: idIn(data.order),
      test: null,
      ...(json && !types.has(event) ? { ignored: 'Nothing is done about events of this type.' } : {}),
    };
  },

  read({ body }): Reading {
    const event = Event.safeParse(bodyIn(body));
    if (!event.success) return { unusable: problemIn(event.error) };
    const parsed = event.data;
    if (isSale(parsed))
      return { order: orderOf(parsed.data, { paidAt: parsed.data.paid_at ?? null, versionAt: parsed.timestamp }) };
    const base = { orderId: parsed.data.order, happenedAt: parsed.timestamp, lines: null, amount: null, undoes: null };
    return { reversals: [isRefund(parsed) ? refundOf(parsed.data, base) : disputeOf(parsed, base)] };
  },
};

type ParsedEvent = z.output<typeof Event>;
const isSale = (event: ParsedEvent): event is z.output<typeof SaleEvent> =>
  event.type === 'sale.created' || event.type === 'sale.updated';
const isRefund = (event: ParsedEvent): event is z.output<typeof RefundEvent> => event.type === 'sale.refunded';

type Base = Pick<ReversalSnapshot, 'orderId' | 'happenedAt' | 'lines' | 'amount' | 'undoes'>;

const refundOf = ({ refund, lines, amount }: z.output<typeof Refund>, base: Base): ReversalSnapshot => ({
  ...base,
  key: refund,
  kind: 'refund',
  isWhole: !lines && !amount,
  lines: lines ?? null,
  amount: amount ?? null,
});

const disputeOf = ({ type, data }: z.output<typeof DisputeEvent>, base: Base): ReversalSnapshot =>
  type === 'sale.disputed'
    ? { ...base, key: data.refund, kind: 'chargeback', isWhole: true }
    : { ...base, key: `won:${data.refund}`, kind: 'reinstatement', isWhole: true, undoes: data.refund };
