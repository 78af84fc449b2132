import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { codeOfEmail } from '#platform/text/code-in-text.ts';
import { Email } from '#platform/text/email-address.ts';
import { LanguageField } from '#platform/text/languages.ts';
import { tidyLine } from '#platform/text/text.ts';

const NO_SERIAL = 'Enter your serial.';
export const Code = z
  .string(NO_SERIAL)
  .trim()
  .overwrite(codeOfEmail)
  .min(1, NO_SERIAL)
  .max(200, 'The serial is too long.');
export const DownloadToken = z.string().min(1).max(20_000);
// a person's name may hold anything but line breaks and control characters
const NAMES = 'Please enter both first and last name';
const Name = z
  .string(NAMES)
  .overwrite(tidyLine)
  .min(1, NAMES)
  .max(100, 'Use at most 100 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.');

export const InitiateBody = z
  .strictObject({
    serial: Code,
    email: Email,
    dev: Id.optional().describe('The developer whose redemption page this is.'),
    download_token: DownloadToken.optional().describe(
      'From an earlier redemption in this browser; its serials are included in the new one.',
    ),
    language: LanguageField.optional(),
  })
  .meta({ id: 'InitiateRedemption' });

export const CompleteBody = z
  .strictObject({
    temp_token: z.string().min(1).max(200),
    first_name: Name,
    last_name: Name,
    language: LanguageField.optional(),
  })
  .meta({ id: 'CompleteRedemption' });

export const ProductsBody = z.strictObject({ download_token: DownloadToken });

export const ProductCard = z
  .object({
    product_name: z.string(),
    image_url: z.string().nullable(),
    serial_code: z.string(),
    revoked: z.boolean().describe('Downloads and licensing are closed, also because the product was withdrawn.'),
    withdrawn: z.boolean().describe('The maker no longer offers the product; the serial itself was not revoked.'),
    download_count: z.int(),
    download_limit: z.int(),
    install_help: z.string().describe('The developer’s own words, as plain text; empty when there are none.'),
    version: z
      .string()
      .nullable()
      .describe('What the developer calls the version of the files; null: they did not name it.'),
    files: z.array(
      z.object({
        name: z.string(),
        url: z.string().describe('Counts one download, once within six hours, then redirects to the file.'),
        size: z.int().nullable().describe('In bytes; null for a file elsewhere.'),
        begun: z.boolean().describe('Its download has counted within six hours: following the link counts no more.'),
      }),
    ),
  })
  .meta({ id: 'ProductCard' });
export type ProductCard = z.output<typeof ProductCard>;

export const RedemptionResult = z
  .object({
    require_name: z.boolean(),
    temp_token: z.string().optional().describe('With require_name: for the name step; valid once, for 15 minutes.'),
    download_token: z.string().optional().describe('Opens the serials redeemed with it, for 30 days.'),
    products: z.array(ProductCard).optional(),
  })
  .meta({ id: 'RedemptionResult' });

export const OpenedProducts = z.object({ products: z.array(ProductCard) }).meta({ id: 'OpenedProducts' });
export const DownloadQuery = z.object({
  token: z.string().min(1).max(4000),
  start: z
    .string()
    .max(10)
    .optional()
    .describe('If set, the request counts as a click even when it looks like a prefetch or a link preview.'),
});

/** A customer has redeemed a serial. */
export const RedemptionEvent = z.object({
  type: z.literal('redemption'),
  data: z.object({
    serial_id: Id,
    serial: dataOf('codes', z.string()),
    product_id: Id,
    product_name: z.string(),
    email: dataOf('people', z.string().nullable()),
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    total: z.number().describe('The price at redemption, in dollars.'),
    redeemed_at: Time,
  }),
});
export type RedemptionEvent = z.output<typeof RedemptionEvent>;

export const ResentEmail = z
  .object({ email: dataOf('people', z.string().nullable().describe('Where it was sent.')) })
  .meta({ id: 'ResentEmail' });
