import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';

const Sales = z
  .object({
    redemptions: z.int(),
    revenue: z.number().describe('Dollars, less what was refunded in this time, whenever it was sold.'),
  })
  .meta({ id: 'ProductSales' });

const ComparedSales = z
  .object({
    ...Sales.shape,
    previous: Sales.describe('The same for as many days before.'),
  })
  .meta({ id: 'ComparedProductSales' });

export const ProductOverview = z
  .object({
    id: Id,
    name: z.string(),
    image_url: z.string().nullable(),
    is_draft: z.boolean(),
    sales: z
      .object({
        today: ComparedSales.describe('Today so far, beside the whole of yesterday.'),
        last_30_days: ComparedSales.describe('Today and the 29 days before it.'),
        all: Sales.describe('Since the beginning.'),
      })
      .describe('From the ledger’s daily sums, in days of the account’s time zone.'),
    stock: z
      .object({
        available: z.int().describe('Serials that are left.'),
        per_day: z.number().describe('Redemptions a day over the last 30 days.'),
        days_left: z
          .int()
          .nullable()
          .describe('For how many whole days that is enough at this pace; null: none were redeemed.'),
      })
      .describe('The stock, and how long it lasts.'),
    machines: z
      .object({
        active: z.int().describe('Seen in the last 30 days (UTC).'),
        total: z.int().describe('Machines that hold a seat.'),
        versions: z
          .array(
            z.object({
              version: z.string().nullable(),
              count: z.int().describe('Activations seen in the last 30 days.'),
              systems: z
                .array(z.object({ os: z.string().nullable(), count: z.int() }))
                .describe('The same by operating system, the most common first; null: the plugin did not report it.'),
            }),
          )
          .describe('The 50 most common; null: the plugin did not report it.'),
      })
      .describe('What runs out there.'),
    files: z
      .array(
        z.object({
          name: z.string().describe('The label of the download.'),
          url: z.string().describe('Where it is.'),
          file_id: Id.nullable().describe('The stored file; null: it is kept elsewhere.'),
          size: z.int().nullable().describe('Bytes; null: it is kept elsewhere.'),
          uploaded_at: Time.nullable().describe('When the upload was complete; null: it is kept elsewhere.'),
        }),
      )
      .describe('The downloads.'),
    plugin_keys: z
      .array(
        z.object({
          id: Id,
          label: z.string().describe('What its developer calls the key.'),
          is_test: z.boolean().describe('Whether it is for builds in development.'),
          last_used_at: Time.nullable(),
        }),
      )
      .describe('The active plugin keys, which all products of an account share.'),
    refusals: z
      .array(z.object({ status: z.string().describe('As in listLicenseRefusals.'), count: z.int() }))
      .describe(
        'License calls for this product, and its redemptions, refused in the last 30 days (UTC), the most common first.',
      ),
    time_zone: z.string(),
  })
  .meta({ id: 'ProductOverview' });
export type ProductOverview = z.output<typeof ProductOverview>;
