import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { codeOfEmail } from '#platform/text/code-in-text.ts';
import { Email } from '#platform/text/email-address.ts';
import { LanguageField } from '#platform/text/languages.ts';
import { tidyLine } from '#platform/text/text.ts';
import { DownloadToken, ProductCard } from '../downloads/downloads.schemas.ts';

const NO_SERIAL = 'Enter your serial.';
export const Code = z
  .string(NO_SERIAL)
  .trim()
  .overwrite(codeOfEmail)
  .min(1, NO_SERIAL)
  .max(200, 'The serial is too long.');
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

export const RedemptionResult = z
  .object({
    require_name: z.boolean(),
    temp_token: z.string().optional().describe('With require_name: for the name step; valid once, for 15 minutes.'),
    download_token: z.string().optional().describe('Opens the serials redeemed with it, for 30 days.'),
    products: z.array(ProductCard).optional(),
  })
  .meta({ id: 'RedemptionResult' });

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
