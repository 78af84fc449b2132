import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import type { Connector, Inbound, Label, Reading, Verdict } from './port.ts';
import { bodyIn, idIn, OTHER_SECRET, problemIn, readAs } from './reading.ts';
import { headerOf, isSigned } from './signatures.ts';
import { api } from './stripe-api.ts';
import { Dispute, Invoice, isRenewal, Refund, Seconds, Session } from './stripe-objects.ts';
import { disputeReading, invoiceReading, refundReading, sessionReading } from './stripe-snapshots.ts';

// Checkout and Payment Links of the seller's own Stripe account. An event has no lines, so a restricted key is needed; and a refund does not
// report whether it was all, which its charge does. Of the two events of one refund, `refund.*` counts and `charge.refunded` does not.

const TOLERANCE = 300 * SECOND;
const Event = z.object({ created: Seconds, type: z.string(), data: z.object({ object: z.unknown() }) });

const SESSIONS = /^checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)$/;
const REFUNDS = /^refund\.(created|updated|failed)$/;
const DISPUTES = /^charge\.dispute\.(created|updated|closed|funds_withdrawn|funds_reinstated)$/;
export const stripe: Connector = {
  api,

  verify({ headers, body, now }: Inbound, secrets: readonly string[]): Verdict {
    const parts = headerOf(headers, 'stripe-signature')
      .split(',')
      .map((part) => part.trim().split('='));
    const at = parts.find(([name]) => name === 't')?.[1] ?? '';
    const signatures = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
    if (!at || signatures.length === 0) return { ok: false, why: 'It has no Stripe-Signature.' };
    if (!/^\d{1,12}$/.test(at) || Math.abs(now.getTime() - Number(at) * SECOND) > TOLERANCE)
      return { ok: false, why: 'Its time is more than five minutes from now.' };
    const signed = Buffer.concat([Buffer.from(`${at}.`), body]);
    return isSigned(signed, { signatures, secrets, encoding: 'hex' }) ? { ok: true } : { ok: false, why: OTHER_SECRET };
  },

  label({ body }): Label {
    const json = bodyIn(body);
    const event = typeof json?.type === 'string' ? json.type.slice(0, 100) : 'unknown';
    const object = ((json?.data ?? {}) as { object?: Record<string, unknown> }).object ?? {};
    const base = {
      key: idIn(json?.id),
      event,
      test: typeof json?.livemode === 'boolean' ? !json.livemode : null,
    };
    if (SESSIONS.test(event))
      return { ...base, orderKey: refIn(object.payment_intent) ?? refIn(object.invoice) ?? idIn(object.id) };
    if (REFUNDS.test(event) || DISPUTES.test(event)) return { ...base, orderKey: refIn(object.payment_intent) };
    if (event === 'invoice.paid')
      return isRenewal(object)
        ? { ...base, orderKey: idIn(object.id) }
        : { ...base, orderKey: null, ignored: 'It is of a checkout, which reports itself.' };
    const ignored =
      event === 'charge.refunded'
        ? 'refund.created and refund.updated report the same, refund by refund. Send those.'
        : 'Nothing is done about events of this type.';
    return { ...base, orderKey: null, ignored };
  },

  read({ body }): Reading {
    const read = Event.safeParse(bodyIn(body));
    if (!read.success) return { unusable: problemIn(read.error) };
    const { type, created, data } = read.data;
    if (SESSIONS.test(type)) return readAs(Session, data.object, (session) => sessionReading(session, created, type));
    if (type === 'invoice.paid') return readAs(Invoice, data.object, (invoice) => invoiceReading(invoice, created));
    if (REFUNDS.test(type))
      return readAs(Refund, data.object, (refund) => refundReading(refund, refund.payment_intent ?? ''));
    return readAs(Dispute, data.object, disputeReading);
  },
};

const refIn = (value: unknown): string | null =>
  idIn(value !== null && typeof value === 'object' ? (value as { id?: unknown }).id : value);
