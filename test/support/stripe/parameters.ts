import type { Params } from './form.ts';
import { invalid, Refusal } from './refusals.ts';

const LIST = ['limit', 'starting_after', 'ending_before', 'expand'];

/**
 * The parameters that have an effect here, by call, at the version that the server is pinned to. The rest is refused.
 */
const KNOWN: Record<string, readonly string[]> = {
  'POST /v1/customers': ['email', 'name', 'description', 'metadata', 'balance', 'expand'],
  'GET /v1/customers': ['email', 'created', ...LIST],
  'GET /v1/customers/:id': ['expand'],
  'POST /v1/customers/:id': ['email', 'name', 'description', 'metadata', 'invoice_settings', 'expand'],
  'DELETE /v1/customers/:id': [],
  'POST /v1/setup_intents': [
    'customer',
    'usage',
    'allowed_payment_method_types',
    'automatic_payment_methods',
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
  'POST /v1/invoices/:id/pay': ['off_session', 'payment_method', 'expand'],
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

/** Parameters that tutorials still show, and that Stripe has removed. */
const OLD = new Map([['payment_method_types', 'payment_method_types_no_longer_supported']]);

/** Fields that an answer has only on request. */
const EXPANDABLE: Record<string, readonly string[]> = {
  'GET /v1/customers/:id': ['invoice_settings.default_payment_method'],
  'GET /v1/invoices/:id': ['confirmation_secret'],
};
/** How deep an expansion may go. */
const DEEPEST = 4;

/** The most characters that a text may have. */
const LONGEST: Record<string, number> = { email: 512, name: 256, description: 500, footer: 5000 };

/** Refuses what the call does not take, as Stripe does before it does anything. */
export function refuseUnknown(call: string, params: Params): void {
  const known = KNOWN[call] ?? [];
  refuseExpansions(call, params.expand);
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
    if (typeof value === 'string') refuseLong(name, value);
  }
}

/** Refuses a text that is longer than what Stripe keeps. */
export function refuseLong(name: string, value: string): void {
  const most = LONGEST[name];
  if (most !== undefined && value.length > most)
    throw invalid(`Invalid string: ${name}; must be at most ${most} characters`, {
      code: 'parameter_invalid_string',
      param: name,
    });
}

function refuseExpansions(call: string, expand: Params | string | undefined): void {
  if (typeof expand === 'string') throw invalid('Invalid array', { param: 'expand' });
  for (const wanted of Object.values(expand ?? {})) {
    if (typeof wanted !== 'string') throw invalid('Invalid string', { param: 'expand' });
    if (wanted.split('.').length > DEEPEST)
      throw invalid(`You cannot expand more than ${DEEPEST} levels of a property.`, { param: 'expand' });
    if (!EXPANDABLE[call]?.includes(wanted))
      throw invalid(`This property cannot be expanded (${wanted}).`, { param: 'expand' });
  }
}

/** Refuses a key that Stripe would not remember. */
export function refuseLongKey(key: string | undefined): void {
  if (key !== undefined && key.length > 255)
    throw new Refusal(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests cannot be longer than 255 characters.',
    });
}

/** One of the words that a parameter may be. */
export function oneOf<T extends string>(params: Params, name: string, words: readonly T[]): T | undefined {
  const value = textIn(params, name);
  const word = words.find((each) => each === value);
  if (value !== undefined && word === undefined)
    throw invalid(`Invalid ${name}: must be one of ${words.join(', ')}`, { param: name });
  return word;
}

/** The currency: in lower case, and the one that everything here is in. */
export function currencyIn(params: Params): string | undefined {
  const value = textIn(params, 'currency');
  if (value !== undefined && value !== 'usd') throw invalid(`Invalid currency: ${value}`, { param: 'currency' });
  return value;
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

/** @param digits the most of them; an amount has no more than eight. */
export function wholeNumber(params: Params, name: string, digits = 8): number {
  const value = need(params, name);
  if (!/^-?\d+$/.test(value) || value.replace('-', '').length > digits)
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
  for (const [name, value] of Object.entries(given as Record<string, string>)) {
    if (name.length > 40)
      throw invalid(`Metadata keys can be up to 40 characters long: ${name}`, { param: 'metadata' });
    if (value.length > 500)
      throw invalid(`Metadata values can be up to 500 characters long: ${name}`, { param: `metadata[${name}]` });
  }
  return given as Record<string, string>;
}
