import { z } from 'zod/mini';
import { isPrice, readAmount } from '#lib/format/amount.ts';
import type { Product } from '#lib/types.ts';
import { storedFileId } from './stored-file.ts';

const money = z.string().check(
  z.trim(),
  z.refine((text) => text === '' || isPrice(text), 'Enter an amount such as 49 or 49.99.'),
);

const whole = (label: string, least: number, most: number) =>
  z.string().check(
    z.trim(),
    z.refine(
      (text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most,
      `${label} must be a whole number from ${least} to ${most}.`,
    ),
  );

export const productSchema = z
  .object({
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Enter a name for the product.'),
        z.maxLength(200, 'Use at most 200 characters.'),
      ),
    juce_product_id: z.string().check(z.trim(), z.maxLength(200, 'Use at most 200 characters.')),
    short_desc: z.string().check(z.trim()),
    long_desc: z.string().check(z.trim()),
    install_help: z.string().check(z.trim(), z.maxLength(2000, 'Use at most 2,000 characters.')),
    features: z.array(z.object({ text: z.string().check(z.trim()) })),
    price: money,
    sale_price: money,
    image_url: z.string(),
    files: z.array(
      z.object({
        name: z.string().check(z.trim()),
        url: z.string().check(
          z.trim(),
          z.refine(
            (text) => text === '' || storedFileId(text) !== null || (/^https?:\/\//i.test(text) && URL.canParse(text)),
            'Enter an address that begins with https://.',
          ),
        ),
      }),
    ),
    max_activations: whole('Seats', 1, 1000),
    offline_days: whole('Offline days', 1, 3650),
    lease_days: whole('Lease days', 1, 365),
    trial_days: whole('Trial days', 0, 365),
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
  name: '',
  juce_product_id: '',
  short_desc: '',
  long_desc: '',
  install_help: '',
  features: [{ text: '' }],
  price: '',
  sale_price: '',
  image_url: '',
  files: [],
  max_activations: '3',
  offline_days: '30',
  lease_days: '90',
  trial_days: '0',
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
    name: form.name,
    juce_product_id: form.juce_product_id || null,
    short_desc: form.short_desc,
    long_desc: form.long_desc,
    install_help: form.install_help,
    feature_list: form.features.map((row) => row.text).filter(Boolean),
    price: readAmount(form.price),
    sale_price: readAmount(form.sale_price),
    image_url: form.image_url || null,
    file_urls: form.files.filter((row) => row.url).map((row) => ({ name: labelOf(row.name, row.url), url: row.url })),
    max_activations: Number(form.max_activations),
    offline_days: Number(form.offline_days),
    lease_days: Number(form.lease_days),
    trial_days: Number(form.trial_days),
  };
}

export function fromProduct(product: Product): ProductForm {
  return {
    name: product.name,
    // empty follows the name
    juce_product_id: product.juce_product_id === product.name ? '' : product.juce_product_id,
    short_desc: product.short_desc ?? '',
    long_desc: product.long_desc ?? '',
    install_help: product.install_help,
    features: product.feature_list.length ? product.feature_list.map((text) => ({ text })) : [{ text: '' }],
    price: product.price === null ? '' : String(product.price),
    sale_price: product.sale_price === null ? '' : String(product.sale_price),
    image_url: product.image_url ?? '',
    files: product.file_urls.map(({ name, url }) => ({ name, url })),
    max_activations: String(product.max_activations),
    offline_days: String(product.offline_days),
    lease_days: String(product.lease_days),
    trial_days: String(product.trial_days),
  };
}

/** The server's field names, as the form calls them. */
export const formPaths = (path: string) => path.replace(/^feature_list/, 'features').replace(/^file_urls/, 'files');
export const formFields = Object.keys(blankProduct);
