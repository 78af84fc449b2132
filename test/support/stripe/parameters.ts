import type { Params } from './form.ts';
import { invalid } from './refusals.ts';

const LIST = ['limit', 'starting_after', 'ending_before', 'expand'];

/** What each call takes, at the version that the server is pinned to. Everything else is refused. */
const KNOWN: Record<string, readonly string[]> = {
  'POST /v1/customers': ['email', 'name', 'description', 'metadata', 'invoice_settings', 'payment_method', 'expand'],
  'GET /v1/customers/:id': ['expand'],
  'POST /v1/customers/:id': ['email', 'name', 'description', 'metadata', 'invoice_settings', 'expand'],
  'DELETE /v1/customers/:id': [],
  'POST /v1/setup_intents': [
    'customer',
    'usage',
    'allowed_payment_method_types',
    'automatic_payment_methods',
    'payment_method',
    'confirm',
    'description',
    'metadata',
    'expand',
  ],
  'GET /v1/setup_intents/:id': ['client_secret', 'expand'],
  'POST /v1/setup_intents/:id/confirm': [
    'client_secret',
    'payment_method',
    'payment_method_data',
    'return_url',
    'use_stripe_sdk',
    'key',
    'expand',
  ],
  'POST /v1/payment_intents/:id/confirm': [
    'client_secret',
    'payment_method',
    'return_url',
    'use_stripe_sdk',
    'off_session',
    'key',
    'expand',
  ],
  'GET /v1/payment_methods/:id': ['expand'],
  'POST /v1/payment_methods/:id/attach': ['customer', 'expand'],
  'POST /v1/payment_methods/:id/detach': ['expand'],
  'POST /v1/invoices': [
    'customer',
    'currency',
    'auto_advance',
    'collection_method',
    'days_until_due',
    'default_payment_method',
    'description',
    'footer',
    'pending_invoice_items_behavior',
    'metadata',
    'expand',
  ],
  'GET /v1/invoices': ['customer', 'status', 'created', 'collection_method', ...LIST],
  'GET /v1/invoices/:id': ['expand'],
  'DELETE /v1/invoices/:id': [],
  'POST /v1/invoices/:id': ['auto_advance', 'description', 'footer', 'metadata', 'default_payment_method', 'expand'],
  'POST /v1/invoices/:id/add_lines': ['lines', 'invoice_metadata', 'expand'],
  'POST /v1/invoices/:id/finalize': ['auto_advance', 'expand'],
  'POST /v1/invoices/:id/pay': [
    'forgive',
    'mandate',
    'off_session',
    'paid_out_of_band',
    'payment_method',
    'source',
    'expand',
  ],
  'POST /v1/invoices/:id/void': ['expand'],
  'POST /v1/invoices/:id/mark_uncollectible': ['expand'],
  'POST /v1/invoiceitems': [
    'customer',
    'invoice',
    'amount',
    'currency',
    'description',
    'metadata',
    'quantity',
    'expand',
  ],
  'GET /v1/invoiceitems': ['customer', 'invoice', 'pending', 'created', ...LIST],
  'DELETE /v1/invoiceitems/:id': [],
};

export const calls = Object.keys(KNOWN);

/** What tutorials still show, and Stripe has removed. */
const OLD = new Map([['payment_method_types', 'payment_method_types_no_longer_supported']]);

/** Refuses what the call does not take, as Stripe does before it does anything. */
export function refuseUnknown(call: string, params: Params): void {
  const known = KNOWN[call] ?? [];
  for (const [name, value] of Object.entries(params)) {
    const old = OLD.get(name);
    if (old)
      throw invalid(`The parameter ${name} is no longer supported. Use allowed_payment_method_types instead.`, {
        code: old,
        param: name,
      });
    if (!known.includes(name))
      throw invalid(`Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name });
    if (value === '' && name !== 'description' && name !== 'footer')
      throw invalid(`You passed an empty string for '${name}'.`, { code: 'parameter_invalid_empty', param: name });
  }
}

export function textIn(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(`Invalid string: ${name}`, { param: name });
}

export function need(params: Params, name: string): string {
  const value = textIn(params, name);
  if (value === undefined)
    throw invalid(`Missing required param: ${name}.`, { code: 'parameter_missing', param: name });
  return value;
}

export function wholeNumber(params: Params, name: string): number {
  const value = need(params, name);
  if (!/^-?\d{1,8}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name });
  return Number(value);
}

export function flag(params: Params, name: string, otherwise: boolean): boolean {
  const value = textIn(params, name);
  if (value === undefined) return otherwise;
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, { param: name });
  return value === 'true';
}

export function metadataIn(params: Params): Record<string, string> {
  const given = params.metadata ?? {};
  if (typeof given === 'string' || Object.values(given).some((value) => typeof value !== 'string'))
    throw invalid('Invalid metadata.', { param: 'metadata' });
  if (Object.keys(given).length > 50) throw invalid('Metadata can have up to 50 keys.', { param: 'metadata' });
  return given as Record<string, string>;
}
