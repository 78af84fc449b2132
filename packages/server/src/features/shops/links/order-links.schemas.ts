import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Id } from '#platform/http/schemas.ts';
import { Email } from '#platform/text/email-address.ts';
import { LanguageField } from '#platform/text/languages.ts';

export const RequestOrderBody = z
  .strictObject({
    order: oneLine()
      .min(1, 'Enter the number of your order.')
      .max(200, 'Use at most 200 characters.')
      .describe('The number of the order, or the code from the receipt of one that was paid without an email address.'),
    email: Email,
    dev: Id.optional().describe(
      'The developer whose page this is. On a custom domain, the host identifies the developer.',
    ),
    language: LanguageField.optional().describe('Of the email. If omitted, the language of the order.'),
  })
  .meta({ id: 'RequestOrder' });
export type RequestOrderForm = z.output<typeof RequestOrderBody>;

export const OpenOrderBody = z
  .strictObject({
    token: z.string().min(1).max(500).describe('From the link in the email; it works for 24 hours.'),
  })
  .meta({ id: 'OpenOrder' });

export const OpenedOrder = z
  .object({
    order: z.string().describe('The number of the order.'),
    state: z
      .enum(['ready', 'partly', 'coming', 'returned'])
      .describe(
        '`ready`: all its codes are here. `partly`: more follow by email. `coming`: all of them do. `returned`: it was refunded, canceled or disputed.',
      ),
    codes: z
      .array(
        z.object({
          code: dataOf('codes', z.string()).describe('Its code.'),
          product: z.string().describe('The product that it is for.'),
        }),
      )
      .describe('The codes that work.'),
  })
  .meta({ id: 'OpenedOrder' });
export type OpenedOrder = z.output<typeof OpenedOrder>;
