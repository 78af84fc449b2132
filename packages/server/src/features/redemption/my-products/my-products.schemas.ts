import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';
import { byName } from '#platform/keyed-by-name.ts';
import { Email } from '#platform/text/email-address.ts';
import { LanguageField } from '#platform/text/languages.ts';
import { ProductCard } from '../downloads/downloads.schemas.ts';

const Token = z.string().min(1).max(2000).describe('From the link in the email; valid for 30 minutes.');

export const RequestMyProductsBody = z
  .strictObject({
    email: Email,
    dev: Id.optional().describe(
      'The developer whose page this is. On a custom domain, the host identifies the developer.',
    ),
    language: LanguageField.optional().describe(
      'Of the email. If omitted, the language of the customer’s last redemption.',
    ),
  })
  .meta({ id: 'RequestMyProducts' });

export const OpenMyProductsBody = z.strictObject({ token: Token }).meta({ id: 'OpenMyProducts' });

export const MyMachine = z
  .object({
    id: Id,
    name: z.string().describe('The name that the plugin reports for the machine, shortened.'),
    version: z.string().nullable(),
    last_seen_at: Time,
  })
  .meta({ id: 'MyMachine' });
export type MyMachine = z.output<typeof MyMachine>;

export const MyProducts = z
  .object({
    download_token: z.string().describe('Opens all serials of this address with this developer, for 30 days.'),
    products: z.array(ProductCard),
    machines: byName(z.array(MyMachine), 'Machines holding a seat, by code.'),
    email_hint: z.string(),
  })
  .meta({ id: 'MyProducts' });
export type MyProductsView = z.output<typeof MyProducts>;
