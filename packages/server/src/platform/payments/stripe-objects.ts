import type { Stripe } from 'stripe';
import { SECOND } from '../clock.ts';
import type { Card, CardSetup, PaymentCustomer, PaymentEvent, PaymentInvoice } from './payments.ts';

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

export function cardOf(method: Stripe.PaymentMethod): Card {
  return {
    id: method.id,
    brand: method.card?.brand ?? method.type,
    last4: method.card?.last4 ?? '',
    expMonth: method.card?.exp_month ?? 0,
    expYear: method.card?.exp_year ?? 0,
    customerId: idOf(method.customer),
  };
}

export function customerOf(customer: Stripe.Customer): PaymentCustomer {
  const card = customer.invoice_settings.default_payment_method;
  return {
    id: customer.id,
    developerId: customer.metadata.developer_id ?? null,
    card: card && typeof card !== 'string' ? cardOf(card) : null,
  };
}

export function setupOf(setup: Stripe.SetupIntent): CardSetup {
  const ended = setup.status === 'succeeded' || setup.status === 'canceled';
  return {
    id: setup.id,
    customerId: idOf(setup.customer),
    developerId: setup.metadata?.developer_id ?? null,
    state: ended ? (setup.status as 'succeeded' | 'canceled') : 'open',
    cardId: idOf(setup.payment_method),
    clientSecret: setup.client_secret ?? '',
  };
}

export function invoiceOf(invoice: Stripe.Invoice): PaymentInvoice {
  return {
    id: invoice.id,
    customerId: idOf(invoice.customer),
    status: statusOf(invoice.status),
    total: invoice.total,
    isEmpty: invoice.lines.data.length === 0,
    startingBalance: invoice.starting_balance,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    developerId: invoice.metadata?.developer_id ?? null,
    statementId: invoice.metadata?.statement_id ?? null,
    month: invoice.metadata?.month ?? null,
    number: invoice.metadata?.number ?? null,
    description: invoice.description,
    isReplaced: invoice.metadata?.replaced === 'yes',
    paidAt: invoice.status_transitions.paid_at === null ? null : new Date(invoice.status_transitions.paid_at * SECOND),
  };
}

const STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

function statusOf(status: string | null): PaymentInvoice['status'] {
  const known = STATUSES.find((each) => each === status);
  if (!known) throw new Error(`an invoice with the unknown status ${status}`);
  return known;
}

export function eventOf(event: Stripe.Event): PaymentEvent {
  const about = event.data.object as { object?: string; id?: string; customer?: string | { id: string } | null };
  const objectId = about.id ?? null;
  return {
    id: event.id,
    type: event.type,
    object: about.object ?? null,
    objectId,
    customerId: about.object === 'customer' ? objectId : idOf(about.customer),
  };
}
