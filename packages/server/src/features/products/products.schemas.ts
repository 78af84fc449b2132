import { z } from 'zod';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { withoutDefaults } from '#platform/http/input/without-defaults.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { hasTwoDecimals } from '#platform/money.ts';
import { asciiUrl } from '#platform/network/ascii-url.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import { isPictureAddress, NO_PICTURE } from '#platform/storage/picture-address.ts';
import { ON_LOSS } from './on-loss.ts';

const MAX_PRICE = 1_000_000;

/** Dollars with at most two decimals; an empty field means none. */
export const Price = z
  .union([z.number(), z.literal('').transform(() => null), z.null()])
  .refine((value) => value === null || (value >= 0 && value <= MAX_PRICE), 'Use 0 to 1,000,000.')
  .refine((value) => value === null || hasTwoDecimals(value), 'Use at most two decimals.');

const LONGEST_URL = 2000;

const FileRow = z.strictObject({
  name: oneLine().max(200).default(''),
  url: z.string().trim().max(LONGEST_URL),
});

/** Rows with an empty URL are dropped; an empty label becomes the last part of the path, or "Download". The label of a
 * file in our own storage stays empty here: only the service knows its name. */
const FileRows = z
  .array(FileRow)
  .max(50)
  .superRefine((rows, context) => {
    rows.forEach((row, index) => {
      if (row.url !== '' && !fileIdOf(row.url) && !isHttpUrl(row.url)) {
        context.addIssue({
          code: 'custom',
          path: [index, 'url'],
          message: 'Enter a web address that begins with http:// or https://.',
        });
      } else if (row.url !== '' && sendable(row.url).length > LONGEST_URL) {
        context.addIssue({ code: 'custom', path: [index, 'url'], message: 'Too long once it is encoded.' });
      }
    });
  })
  .transform((rows) =>
    rows.filter((row) => row.url !== '').map((row) => ({ name: row.name || labelOf(row.url), url: sendable(row.url) })),
  );

/** The longest that a plugin may send. */
const JuceProductId = z
  .string()
  .trim()
  .max(200, 'A JUCE product id has at most 200 characters.')
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'A JUCE product id must be one line.')
  .transform((text) => text || null)
  .nullable()
  .describe('What the stock JUCE plugin returns from getProductID(). Empty: the product’s name.');

/** The fields that a developer enters, with their defaults for a new product. */
const fields = {
  juce_product_id: JuceProductId.default(null),
  name: oneLine().min(1, 'Enter a product name.').max(200),
  short_desc: z.string().trim().max(500).default(''),
  long_desc: z.string().trim().max(20_000).default(''),
  install_help: z
    .string()
    .trim()
    .max(2000, 'Use at most 2,000 characters.')
    .describe('How to install it, as plain text: shown to customers below their files.')
    .default(''),
  feature_list: z
    .array(z.string().trim().max(300))
    .max(50)
    .transform((rows) => rows.filter((row) => row !== ''))
    .default([]),
  price: Price.default(null),
  sale_price: Price.default(null),
  image_url: z
    .string()
    .trim()
    .max(2000)
    .refine((value) => value === '' || isPictureAddress(value), NO_PICTURE)
    .transform((value) => (value ? sendable(value) : null))
    .nullable()
    .default(null),
  file_urls: FileRows.default([]),
  max_activations: z.int().min(1).max(1000).default(3),
  offline_days: z.int().min(1).max(3650).default(30),
  lease_days: z.int().min(1).max(365).default(90),
  trial_days: z.int().min(0).max(365).default(0),
  on_loss: z.enum(ON_LOSS).default('finish'),
};

export const CreateProductBody = z
  .strictObject({ ...fields, is_draft: z.boolean().default(false) })
  .meta({ id: 'CreateProduct' });
export type CreateProductBody = z.output<typeof CreateProductBody>;

/** Omitted fields stay unchanged. */
export const UpdateProductBody = z
  .strictObject({
    ...withoutDefaults(fields),
    version: z
      .int()
      .describe('The version you read: refused with stale_version if somebody has changed the product since.'),
  })
  .partial()
  .meta({ id: 'UpdateProduct' });
export type UpdateProductBody = z.output<typeof UpdateProductBody>;

export const ProductView = z
  .object({
    id: Id,
    name: z.string(),
    juce_product_id: z
      .string()
      .describe('What its stock JUCE plugin returns from getProductID(): the product’s name, unless set otherwise.'),
    short_desc: z.string(),
    long_desc: z.string(),
    install_help: z.string().describe('How to install it; shown to customers below their files.'),
    feature_list: z.array(z.string()),
    price: z.number().nullable(),
    sale_price: z.number().nullable(),
    image_url: z.string().nullable(),
    file_urls: z.array(z.object({ name: z.string(), url: z.string() })),
    is_draft: z.boolean(),
    serials_available: z
      .int()
      .describe(
        'Available serials: neither redeemed, nor revoked, nor expired. Those of a draft or of a window that has not begun count too.',
      ),
    max_activations: z.int().describe('Seats per serial.'),
    offline_days: z.int().describe('How many days a validation token works without a network connection.'),
    lease_days: z.int().describe('How many days a license file holds a seat for an offline machine.'),
    trial_days: z.int(),
    on_loss: z.enum(ON_LOSS),
    version: z.int(),
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Product' });
export type ProductView = z.output<typeof ProductView>;

export const DeletedProduct = z
  .object({ message: z.string(), serials_deleted: z.int(), serials_revoked: z.int(), dry_run: z.boolean() })
  .meta({ id: 'DeletedProduct' });

function isHttpUrl(text: string): boolean {
  try {
    const { protocol } = new URL(text);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** Our own name for a file or picture is no address, and plain already. */
function sendable(url: string): string {
  return isHttpUrl(url) ? asciiUrl(url) : url;
}

function labelOf(url: string): string {
  if (fileIdOf(url)) return '';
  const last = new URL(url).pathname.split('/').filter(Boolean).at(-1);
  if (!last) return 'Download';
  try {
    return decodeURIComponent(last).slice(0, 200);
  } catch {
    return last.slice(0, 200);
  }
}
