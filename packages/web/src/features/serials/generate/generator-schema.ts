import { z } from 'zod/mini';
import { isPrice, plainAmount, readAmount } from '#lib/format/amount.ts';
import { toQuantity } from '#lib/format/quantity.ts';
import { dayIn } from '#lib/time/zone.ts';
import type { DealRequest } from '#lib/types.ts';

const optionalMoney = z.string().check(
  z.trim(),
  z.refine((text) => text === '' || isPrice(text), 'Enter an amount such as 29 or 29.99.'),
);
const day = z.string();

export const generatorSchema = z
  .object({
    product: z.nullable(z.object({ id: z.string(), name: z.string() })),
    quantity: z.string().check(
      z.trim(),
      z.refine(
        (text) => toQuantity(text) >= 1 && toQuantity(text) <= 1_000_000,
        'Choose a quantity from 1 to 1,000,000.',
      ),
    ),
    prefix: z.string().check(
      z.refine(
        (text) => text === '' || /^[A-Z0-9]{4}$/.test(text),
        'Prefix must be exactly 4 alphanumeric characters (A–Z, 0–9).',
      ),
      z.refine((text) => text !== 'TEST', 'TEST is kept for test serials. Choose another prefix.'),
    ),
    promo_price: optionalMoney,
    promo_start: day,
    promo_expires: day,
    expires_at: day,
    batch_tag: z.string().check(z.trim(), z.maxLength(100, 'Use at most 100 characters.')),
    notes: z.string().check(z.trim(), z.maxLength(2000, 'Use at most 2,000 characters.')),
    /** '' for none, 'new' for a reseller named here, otherwise a reseller's id. */
    reseller: z.string(),
    new_reseller_name: z.string().check(z.trim()),
  })
  .check(
    z.refine((form) => form.product !== null, { error: 'Choose a product.', path: ['product'] }),
    z.refine((form) => form.promo_price !== '' || (!form.promo_start && !form.promo_expires), {
      error: 'Promo dates need a promo price.',
      path: ['promo_price'],
    }),
    z.refine((form) => !form.promo_start || !form.promo_expires || form.promo_start <= form.promo_expires, {
      error: 'The promo must end on or after the day it starts.',
      path: ['promo_expires'],
    }),
    z.refine((form) => !form.expires_at || !form.promo_start || form.promo_start <= form.expires_at, {
      error: 'Serials would expire before the promo starts.',
      path: ['expires_at'],
    }),
    z.refine((form) => form.reseller !== 'new' || form.new_reseller_name !== '', {
      error: 'Enter a name for the new reseller.',
      path: ['new_reseller_name'],
    }),
  );

export type GeneratorForm = z.infer<typeof generatorSchema>;

export const blankGenerator: GeneratorForm = {
  product: null,
  quantity: '10',
  prefix: '',
  promo_price: '',
  promo_start: '',
  promo_expires: '',
  expires_at: '',
  batch_tag: '',
  notes: '',
  reseller: '',
  new_reseller_name: '',
};

const dates = ['promo_start', 'promo_expires', 'expires_at'] as const;

/** The form for a batch that accepts a request, with its terms. Days are those of the account's time zone. */
export function generatorForDeal(request: DealRequest, timeZone: string): GeneratorForm {
  const day = (moment: string | null) => (moment === null ? '' : dayIn(moment, timeZone));
  return {
    ...blankGenerator,
    product: { id: request.product_id, name: request.product_name },
    quantity: String(request.quantity),
    promo_price: plainAmount(request.price),
    promo_start: day(request.promo_start),
    promo_expires: day(request.promo_expires),
    expires_at: day(request.expires_at),
    reseller: request.reseller_id,
  };
}

export const cleanPrefix = (text: string) =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 4);

/** @param deal the reseller's request that the batch accepts. A date of it that nobody touched stays to the minute. */
export function toGenerateRequest(form: GeneratorForm, deal?: { request: DealRequest; form: GeneratorForm }) {
  const asked = dates.flatMap((name) => {
    const moment = deal?.request[name];
    return moment && form[name] === deal.form[name] ? [[name, moment] as const] : [];
  });
  return {
    ...(deal && { deal_request_id: deal.request.id }),
    product_id: form.product?.id ?? '',
    quantity: toQuantity(form.quantity),
    ...(form.prefix && { prefix: form.prefix }),
    ...(form.promo_price && { promo_price: readAmount(form.promo_price) ?? 0 }),
    ...(form.promo_start && { promo_start: form.promo_start }),
    ...(form.promo_expires && { promo_expires: form.promo_expires }),
    ...(form.expires_at && { expires_at: form.expires_at }),
    ...Object.fromEntries(asked),
    ...(form.batch_tag && { batch_tag: form.batch_tag }),
    ...(form.notes && { notes: form.notes }),
    ...(form.reseller === 'new' && { new_reseller_name: form.new_reseller_name }),
    ...(form.reseller && form.reseller !== 'new' && { reseller_id: form.reseller }),
  };
}

/** The server's field names, as the form calls them. */
export const generatorPaths = (path: string) =>
  path.replace(/^product_id/, 'product').replace(/^reseller_id/, 'reseller');
