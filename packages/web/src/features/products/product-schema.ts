import { createProductOn_loss } from '@tonerow/sdk/values';
import { z } from 'zod/mini';
import { isPrice, readAmount } from '#lib/format/amount.ts';
import type { Product } from '#lib/types.ts';
import { storedFileId } from './files/stored-file.ts';

const line = () => z.string().check(z.trim());

/** Texts that are the server's, too. */
const texts = {
  name: {
    label: 'Product Name',
    check: line().check(
      z.minLength(1, 'Enter a name for the product.'),
      z.maxLength(200, 'Use at most 200 characters.'),
    ),
  },
  short_desc: { label: 'Short Description', check: line() },
  long_desc: { label: 'Long Description', check: line() },
  install_help: { label: 'Install help', check: line().check(z.maxLength(2000, 'Use at most 2,000 characters.')) },
};

/** Texts that are null on the server when they are empty here. */
const optionalTexts = {
  image_url: { label: 'Image', check: z.string() },
  juce_product_id: { label: 'JUCE product id', check: line().check(z.maxLength(200, 'Use at most 200 characters.')) },
};

const amounts = { price: { label: 'Price' }, sale_price: { label: 'Sale Price' } };

const wholeNumbers = {
  max_activations: { label: 'Seats', least: 1, most: 1000, blank: '3' },
  offline_days: { label: 'Offline days', least: 1, most: 3650, blank: '30' },
  lease_days: { label: 'Lease days', least: 1, most: 365, blank: '90' },
  trial_days: { label: 'Trial days', least: 0, most: 365, blank: '0' },
};

const choices = {
  on_loss: { label: 'When a license is lost', check: z.enum(createProductOn_loss), blank: 'finish' as const },
};

const featureRow = z.object({ text: line() });
const fileRow = z.object({
  name: line(),
  url: line().check(
    z.refine(
      (text) => text === '' || storedFileId(text) !== null || (/^https?:\/\//i.test(text) && URL.canParse(text)),
      'Enter an address that begins with https://.',
    ),
  ),
});

/** Makes something of each field. */
const each = <Name extends string, Field, Made>(
  fields: Record<Name, Field>,
  make: (field: Field, name: Name) => Made,
) =>
  Object.fromEntries((Object.keys(fields) as Name[]).map((name) => [name, make(fields[name], name)])) as Record<
    Name,
    Made
  >;

export const productLabels = {
  ...each(texts, ({ label }) => label),
  features: 'Features',
  ...each({ ...optionalTexts, ...amounts, ...wholeNumbers, ...choices }, ({ label }) => label),
  files: 'Files / External Links',
};

export const productSchema = z
  .object({
    ...each({ ...texts, ...optionalTexts }, ({ check }) => check),
    ...each(choices, ({ check }) => check),
    ...each(amounts, () =>
      line().check(z.refine((text) => text === '' || isPrice(text), 'Enter an amount such as 49 or 49.99.')),
    ),
    ...each(wholeNumbers, ({ label, least, most }) =>
      line().check(
        z.refine(
          (text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most,
          `${label} must be a whole number from ${least} to ${most}.`,
        ),
      ),
    ),
    features: z.array(featureRow),
    files: z.array(fileRow),
  })
  .check(
    z.refine(
      (form) =>
        readAmount(form.sale_price) === null || (readAmount(form.price) ?? 0) >= (readAmount(form.sale_price) ?? 0),
      {
        error: 'The sale price must not exceed the price.',
        path: ['sale_price'],
      },
    ),
  );

export type ProductForm = z.infer<typeof productSchema>;

export const blankProduct: ProductForm = {
  ...each({ ...texts, ...optionalTexts, ...amounts }, () => ''),
  ...each(wholeNumbers, ({ blank }) => blank),
  ...each(choices, ({ blank }) => blank),
  features: [{ text: '' }],
  files: [],
};

function labelOf(name: string, url: string): string {
  if (name) return name;
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '') || 'Download';
  } catch {
    return 'Download';
  }
}

export function toRequest(form: ProductForm) {
  return {
    ...each(texts, (_, name) => form[name]),
    ...each(optionalTexts, (_, name) => form[name] || null),
    ...each(amounts, (_, name) => readAmount(form[name])),
    ...each(wholeNumbers, (_, name) => Number(form[name])),
    ...each(choices, (_, name) => form[name]),
    feature_list: form.features.map((row) => row.text).filter(Boolean),
    file_urls: form.files.filter((row) => row.url).map((row) => ({ name: labelOf(row.name, row.url), url: row.url })),
  };
}

export function fromProduct(product: Product): ProductForm {
  return {
    ...each(texts, (_, name) => product[name]),
    ...each({ ...optionalTexts, ...amounts }, (_, name) => String(product[name] ?? '')),
    ...each(wholeNumbers, (_, name) => String(product[name])),
    ...each(choices, (_, name) => product[name]),
    // empty follows the name
    juce_product_id: product.juce_product_id === product.name ? '' : product.juce_product_id,
    features: product.feature_list.length ? product.feature_list.map((text) => ({ text })) : [{ text: '' }],
    files: product.file_urls.map(({ name, url }) => ({ name, url })),
  };
}

/** The server's field names, as the form calls them. */
export const formPaths = (path: string) => path.replace(/^feature_list/, 'features').replace(/^file_urls/, 'files');
