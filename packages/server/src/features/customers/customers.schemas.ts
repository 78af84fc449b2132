import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { choiceCounts } from '#platform/db/statements/choices.ts';
import {
  Cursor,
  DateRange,
  DryRun,
  Id,
  Limit,
  NUMBERED_PAGE,
  pageNumbers,
  Search,
  Time,
} from '#platform/http/schemas.ts';
import { Email } from '#platform/text/email-address.ts';
import { LANGUAGES } from '#platform/text/languages.ts';
import { customerChoices, customerSorts } from './customer-filter.ts';
import { RowStanding, Standing } from './standing.schemas.ts';

const customer = {
  id: Id,
  first_name: dataOf('people', z.string().nullable()),
  last_name: dataOf('people', z.string().nullable()),
  email: dataOf('people', z.string()),
  signup_date: Time,
  last_login: Time.nullable().describe('When the customer last opened a redemption page.'),
  product_name: z.string().nullable().describe('The product or code of the newest serial.'),
  serial_code: dataOf('codes', z.string().nullable()),
  serials: z.int().describe('How many serials the customer has.'),
};
export const CustomerView = z.object(customer).meta({ id: 'Customer' });
export type CustomerView = z.output<typeof CustomerView>;

export const CustomerPage = z
  .object({ customers: z.array(CustomerView), ...pageNumbers, next_cursor: z.string().nullable() })
  .meta({ id: 'CustomerPage' });

const OwnedSerial = z
  .object({
    id: Id,
    code: dataOf('codes', z.string().nullable()),
    product_id: Id,
    product_name: z.string(),
    image_url: z.string().nullable(),
    revoked: z.boolean(),
    redeemed_at: Time,
    download_count: z.int(),
    total: z.number(),
    country: z.string().nullable(),
    seats_used: z.int(),
    max_activations: z.int(),
    standing: RowStanding.describe('What keeps it from being used, if anything.'),
  })
  .meta({ id: 'OwnedSerial' });

const OwnedMachine = z
  .object({
    id: Id,
    serial_id: Id,
    serial_code: dataOf('codes', z.string().nullable()),
    product_name: z.string(),
    machine_id: z.string(),
    label: z.string().nullable().describe('The name that the plugin reports.'),
    os: z.string().nullable(),
    version: z.string().nullable(),
    created_at: Time,
    last_seen_at: Time,
    released_at: Time.nullable(),
  })
  .meta({ id: 'OwnedMachine' });

const Activity = z
  .object({
    kind: z
      .string()
      .describe(
        '`refused`: a plugin was refused in the last 7 days, `redemption_refused`: a redemption; `detail` is the status. `noted`: a note. `changed`: name or address, as in `detail`.',
      ),
    at: Time,
    serial_id: Id.nullable().describe('Null: it is about the customer.'),
    serial_code: dataOf('codes', z.string().nullable()),
    detail: z.string().nullable(),
  })
  .meta({ id: 'CustomerActivity' });
export const ActivityPage = z
  .object({ rows: z.array(Activity), next_cursor: z.string().nullable() })
  .meta({ id: 'CustomerActivityPage' });
export const ActivityQuery = z.object({
  kind: z.string().max(40).optional().describe('Only this kind, such as `noted`.'),
  limit: Limit,
  cursor: Cursor,
});

export const CustomerDetail = z
  .object({
    id: Id,
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string()),
    signup_date: Time,
    last_login: Time.nullable(),
    language: z
      .enum(LANGUAGES)
      .nullable()
      .describe('Of the redemption page and of emails. Null: unknown, and emails are in English.'),
    no_updates_at: Time.nullable().describe(
      'Since when the customer wants no emails about new versions; null: they want them. Only the customer changes it, by the link in these emails.',
    ),
    erased_at: Time.nullable(),
    standing: Standing.describe('What keeps the customer from using what they own, if anything, and what helps.'),
    total_spent: z.number(),
    serials: z
      .array(OwnedSerial)
      .describe(
        'The newest 200. The rest is in listRedeemedSerials with the customer, and the export has all of them.',
      ),
    machines: z
      .array(OwnedMachine)
      .describe('The 200 seen most recently. The rest is in listSerialMachines, and the export has all of them.'),
    activity: z.array(Activity).describe('Newest first, at most 200. The export has all of it.'),
    activity_cursor: z.string().nullable().describe('Where listCustomerActivity goes on; null: that is all.'),
  })
  .meta({ id: 'CustomerDetail' });
export type CustomerDetail = z.output<typeof CustomerDetail>;

const filter = {
  search: Search,
  dateRange: DateRange,
  redeemed: DateRange.describe('Customers who own a serial that was redeemed in these days.'),
  ...customerChoices,
};
export const CustomersQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  ...NUMBERED_PAGE,
  ...filter,
  sort: z.enum(customerSorts).default('-signup_date').describe('By what to sort, `-` for the largest or newest first.'),
});
export const CustomerFilterQuery = z.object(filter);
export const CustomerChoiceCounts = z
  .object({
    product: choiceCounts('Products'),
    reseller: choiceCounts('Resellers'),
    country: choiceCounts('Countries'),
    status: choiceCounts('States'),
  })
  .meta({ id: 'CustomerChoices' });
const Name = z
  .string()
  .trim()
  .max(100, 'Use at most 100 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'Control characters are not allowed.')
  .nullable()
  .transform((value) => value || null);
export const ChangeCustomerBody = z
  .strictObject({ email: Email, first_name: Name, last_name: Name })
  .partial()
  .refine((body) => Object.keys(body).length > 0, 'Enter what to change.')
  .meta({ id: 'ChangeCustomer', description: 'What is absent stays.' });
export type ChangeCustomerBody = z.output<typeof ChangeCustomerBody>;

export const NoteBody = z
  .strictObject({
    text: z
      .string('Enter a note.')
      .trim()
      .min(1, 'Enter a note.')
      .max(2000, 'Use at most 2,000 characters.')
      .describe('The note.'),
  })
  .meta({ id: 'AddCustomerNote' });
export const CustomerNote = z
  .object({ id: Id, text: z.string().describe('The note.'), created_at: Time })
  .meta({ id: 'CustomerNote' });

export const EraseQuery = z.object({ dry_run: DryRun });
export const ErasedCustomer = z
  .object({
    message: z.string(),
    serials_kept: z.int(),
    machines_forgotten: z.int().describe('Machines that no longer held a seat.'),
    dry_run: z.boolean(),
  })
  .meta({ id: 'ErasedCustomer' });
