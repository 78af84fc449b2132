import { z } from 'zod';
import { RowStanding, Standing } from '#features/customers';
import { Price } from '#features/products';
import { dataOf } from '#platform/access/withhold.ts';
import { choiceCounts } from '#platform/db/statements/choices.ts';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Cursor, DateRange, DryRun, Id, Limit, Search, Time } from '#platform/http/schemas.ts';
import { byName } from '#platform/keyed-by-name.ts';
import { TEST_PREFIX } from './generate/codes.ts';
import { serialChoices } from './list/serial-filter.ts';
import { redeemedChoices, redeemedSorts } from './redeemed/redeemed-filter.ts';

export const MAX_QUANTITY = 1_000_000;
export const MAX_JSON_QUANTITY = 10_000;

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const lineOf = (max: number) =>
  oneLine()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const day = z
  .string()
  .trim()
  .max(40)
  .nullish()
  .transform((value) => value || null);

export const GenerateBody = z
  .strictObject({
    product_id: Id,
    quantity: z
      .int('Enter a whole number.')
      .min(1, 'Generate at least 1.')
      .max(MAX_QUANTITY, 'Generate at most 1,000,000 at once.')
      .default(10),
    prefix: z
      .string()
      .toUpperCase()
      .nullish()
      .transform((value) => value || null)
      .refine(
        (value) => value === null || /^[A-Z0-9]{4}$/.test(value),
        'Prefix must be exactly 4 alphanumeric characters (A–Z, 0–9).',
      )
      .refine((value) => value !== TEST_PREFIX, 'TEST is kept for test serials. Choose another prefix.'),
    promo_price: Price.default(null),
    promo_start: day,
    promo_expires: day,
    expires_at: day,
    batch_tag: lineOf(100),
    notes: text(2000),
    reseller_id: Id.nullish().or(z.literal('').transform(() => null)),
    new_reseller_name: lineOf(200),
    deal_request_id: Id.nullish().describe(
      'The reseller’s request that this batch accepts. Product and reseller must be those of the request; the other terms may differ.',
    ),
    dry_run: z.boolean().default(false).describe('Only check the request: answers 200 with JSON and no serials.'),
  })
  .meta({
    id: 'GenerateSerials',
    description:
      'Dates are days (`2026-12-31`, in the account’s time zone; promo_start means the start of the day, the others its end) or ISO 8601 timestamps; one without an offset is on the account’s clock.',
  });
/** What a batch is to be. */
export type BatchForm = Omit<z.output<typeof GenerateBody>, 'dry_run'>;

export const GeneratedSerial = z
  .object({
    id: Id,
    code: dataOf('codes', z.string()),
    product_id: Id,
    reseller_id: Id.nullable(),
    expires_at: Time.nullable(),
    promo_price: z.number().nullable(),
    promo_start: Time.nullable(),
    promo_expires: Time.nullable(),
    batch_tag: z.string().nullable(),
    notes: z.string().nullable(),
  })
  .meta({ id: 'GeneratedSerial' });

export const Generated = z
  .object({
    batch_id: Id.nullable().describe('Null after a dry run.'),
    count: z.int(),
    serials: z.array(GeneratedSerial),
    dry_run: z.boolean(),
  })
  .meta({ id: 'GeneratedSerials' });

const serial = {
  id: Id,
  code: dataOf('codes', z.string()),
  serial: dataOf('codes', z.string().describe('Same as `code`.')),
  product: z.string(),
  product_id: Id,
  product_name: z.string(),
  reseller_id: Id.nullable(),
  image_url: z.string().nullable(),
  promo_price: z.number().nullable(),
  promo_start: Time.nullable(),
  promo_expires: Time.nullable(),
  expires_at: Time.nullable(),
  batch_id: Id,
  batch_tag: z.string().nullable(),
  notes: z.string().nullable(),
  revoked: z.boolean(),
  status: z.enum(['active', 'revoked']),
  redeemed_at: Time.nullable(),
  handed_out_at: Time.nullable().describe(
    'When a reseller drew the code for a customer; null when it is not handed out.',
  ),
  download_count: z.int(),
  created_at: Time,
};
export const SerialView = z.object(serial).meta({ id: 'Serial' });
export type SerialView = z.output<typeof SerialView>;

export const RedeemedSerial = z
  .object({
    ...serial,
    redeemed_at: Time,
    customer: z.object({
      id: Id,
      first_name: dataOf('people', z.string().nullable()),
      last_name: dataOf('people', z.string().nullable()),
      email: dataOf('people', z.string().nullable()),
    }),
    first_name: dataOf('people', z.string().nullable()),
    last_name: dataOf('people', z.string().nullable()),
    email: dataOf('people', z.string().nullable()),
    total: z.number(),
    final_price: z.number(),
    sale_price: z.number().nullable(),
    price: z.number().nullable(),
    country: z.string().nullable(),
    standing: RowStanding.describe('Whether something keeps the customer from using it.'),
  })
  .meta({ id: 'RedeemedSerial' });
export type RedeemedSerial = z.output<typeof RedeemedSerial>;

export const SerialPage = z
  .object({
    rows: z.array(SerialView),
    total: z.int(),
    total_exact: z
      .boolean()
      .describe('If false, `total` is a lower bound: 100,000 are counted, and 10,000 of what a search finds.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'SerialPage' });

export const RedeemedPage = z
  .object({
    rows: z.array(RedeemedSerial),
    total: z.int(),
    total_exact: z.boolean().describe('If false, `total` is a lower bound: the exact number was not counted.'),
    page: z.int(),
    page_size: z.int(),
    time_zone: z.string().describe('The time zone in which the days of `dateRange` begin and end.'),
  })
  .meta({ id: 'RedeemedPage' });

export const AvailableSerials = z
  .object({
    regular: byName(z.array(SerialView), 'Product name → the newest 100.'),
    promos: byName(
      z.object({ serials: z.array(SerialView) }),
      '"{product} · {batch_tag}" or "{product} · Promo" → the newest 100 serials of each product with that name.',
    ),
    counts: z
      .object({ regular: byName(z.int()), promos: byName(z.int()) })
      .describe('The total number of serials in each group, by name.'),
    groups: z
      .array(
        z.object({
          name: z.string(),
          kind: z.enum(['regular', 'promo']),
          product_id: Id,
          product_name: z.string(),
          count: z.int(),
        }),
      )
      .describe('The groups. Promos of two products can share a name; `product_id` distinguishes them.'),
    total: z.int().describe('All available serials, also of groups beyond the first 100.'),
  })
  .meta({ id: 'AvailableSerials' });
export type AvailableSerials = z.output<typeof AvailableSerials>;

const serialListStates = ['available', 'handed_out', 'redeemed', 'revoked'] as const;
export type SerialListState = (typeof serialListStates)[number];

const listed = {
  state: z
    .enum(serialListStates)
    .optional()
    .describe('`handed_out`: a reseller has given it to a customer, who has not redeemed it yet.'),
  product_id: Id.optional(),
  batch_id: Id.optional(),
  search: Search.describe('The code or its beginning; case, spaces and dashes do not matter.'),
  dateRange: DateRange.describe('The days in which they were made.'),
  ...serialChoices,
};
export const ListSerialsQuery = z.object({ ...listed, limit: Limit, cursor: Cursor });
export const SerialChoicesQuery = z.object(listed);
export const AvailableQuery = z.object({ search: Search, dateRange: DateRange });
const redeemedFilter = { search: Search, dateRange: DateRange, ...redeemedChoices };
export const RedeemedQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  ...redeemedFilter,
  sort: z.enum(redeemedSorts).default('-redeemed_at').describe('By what to sort, `-` for the largest or newest first.'),
});
export const RedeemedChoicesQuery = z.object(redeemedFilter);

export const RedeemedChoiceCounts = z
  .object({
    product: choiceCounts('Products'),
    reseller: choiceCounts('Resellers'),
    batch: choiceCounts('Batches'),
    country: choiceCounts('Countries'),
    status: choiceCounts('States'),
  })
  .meta({ id: 'RedeemedChoices' });

export const SerialChoiceCounts = z
  .object({
    product: choiceCounts('Products'),
    reseller: choiceCounts('Resellers'),
    batch: choiceCounts('Batches'),
    status: choiceCounts('States'),
  })
  .meta({ id: 'SerialChoices' });

const changed_at = Time.optional().describe(
  'The moment of the change, with which undoSerialChange takes it back; absent where nothing was changed or it is final.',
);

export const ChangeMatchingBody = z
  .strictObject({
    action: z.enum(['revoke', 'reassign', 'delete']),
    filter: z.strictObject({ ...listed, dateRange: DateRange.default('all') }).describe('As in listSerials.'),
    dry_run: z.boolean().default(false),
  })
  .meta({
    id: 'ChangeMatchingSerials',
    description:
      'All that fit the filter, at most 100,000. `delete` skips serials that a customer has redeemed or a reseller handed out.',
  });

export const ChangeRedeemedBody = z
  .strictObject({
    action: z.enum(['revoke', 'reassign', 'reset_downloads']),
    filter: z
      .strictObject({ ...redeemedFilter, dateRange: DateRange.default('all') })
      .describe('As in listRedeemedSerials.'),
    dry_run: z.boolean().default(false),
  })
  .meta({
    id: 'ChangeRedeemedSerials',
    description:
      'All that fit the filter, at most 100,000. `reset_downloads` costs the plan’s price for each one that had downloads.',
  });
export const ChangedRedeemed = z
  .object({
    count: z.int().describe('The number of serials changed.'),
    skipped: z.int().describe('Serials that were in that state already.'),
    cost: z.number().describe('In dollars.'),
    dry_run: z.boolean(),
    changed_at,
  })
  .meta({ id: 'ChangedRedeemedSerials' });

export const Machine = z
  .object({
    id: Id,
    machine_id: z.string(),
    label: z.string().nullable().describe('The name that the plugin reports for the machine.'),
    os: z.string().nullable(),
    version: z.string().nullable(),
    created_at: Time,
    last_seen_at: Time,
    released_at: Time.nullable().describe('When the machine’s seat was released; null while it holds one.'),
  })
  .meta({ id: 'Machine' });

const Happened = z
  .object({
    kind: z
      .enum([
        'made',
        'given',
        'handed_out',
        'returned',
        'redeemed',
        'activated',
        'released',
        'revoked',
        'reassigned',
        'refreshed',
        'downloaded',
        'refunded',
        'charged_back',
        'reinstated',
        'corrected',
        'refused',
        'redemption_refused',
        'emailed',
        'transferred',
      ])
      .describe(
        '`refused`: a plugin was refused in the last 7 days, `redemption_refused`: a redemption; `detail` is the status, as in listLicenseRefusals. `transferred`: `detail` is the address of the owner until then.',
      ),
    at: Time,
    detail: z.string().nullable(),
    amount: z
      .number()
      .nullable()
      .describe('What it changed in the revenue, in dollars, negative for a refund; null: it is not about money.'),
  })
  .meta({ id: 'SerialEvent' });
export const HistoryPage = z
  .object({ rows: z.array(Happened), next_cursor: z.string().nullable() })
  .meta({ id: 'SerialHistoryPage' });
export const MachinePage = z
  .object({ rows: z.array(Machine), next_cursor: z.string().nullable() })
  .meta({ id: 'MachinePage' });
export const HistoryQuery = z.object({ limit: Limit, cursor: Cursor });

export const SerialDetail = z
  .object({
    ...serial,
    standing: Standing.describe('What keeps it from being used, if anything, and what helps.'),
    reseller_name: z.string().nullable(),
    customer: RedeemedSerial.shape.customer.nullable(),
    final_price: z.number().nullable(),
    refunded: z.number().describe('Dollars given back of the final price, in all.'),
    refundable: z.number().describe('Dollars that can still be given back; 0 for an imported redemption.'),
    refunds: z
      .array(
        z.object({
          id: Id,
          kind: z.enum(['refund', 'chargeback', 'reinstatement', 'correction']),
          amount: z.number().describe('In dollars, negative for a refund.'),
          commission: z.number(),
          reason: z.string(),
          created_at: Time,
        }),
      )
      .describe('What changed the money of the redemption afterwards; newest first, at most 100.'),
    refresh_cost: z.number().describe('What setting its download count back costs now, in dollars.'),
    redeem_link: z.string().describe('The redemption page with the code, and the customer’s address, filled in.'),
    country: z.string().nullable(),
    max_activations: z.int(),
    seats_used: z.int(),
    machines: z.array(Machine).describe('Those with a seat, then the others; the 200 seen most recently.'),
    machines_cursor: z.string().nullable().describe('Where listSerialMachines goes on; null: that is all.'),
    history: z.array(Happened).describe('Newest first, at most 200.'),
    history_cursor: z.string().nullable().describe('Where listSerialHistory goes on; null: that is all.'),
  })
  .meta({ id: 'SerialDetail' });
export type SerialDetail = z.output<typeof SerialDetail>;

export const RefreshedSerial = SerialView.extend({
  refresh_cost: z.number().describe('In dollars; 0 on the free plan, and when nothing had been downloaded.'),
}).meta({ id: 'RefreshedSerial' });

export const GroupParams = z.object({ groupName: z.string().min(1).max(400) });
const which = {
  kind: z.enum(['regular', 'promo']).optional().describe('Needed when a product and a promo share the name.'),
  product_id: Id.optional().describe('Needed when promos of two products share the name.'),
};
export const DeleteGroupQuery = z.object({ ...which, dry_run: DryRun });
export const ListGroupQuery = z.object({ ...which, limit: Limit, cursor: Cursor });
export const DeletedGroup = z
  .object({ message: z.string(), count: z.int(), dry_run: z.boolean() })
  .meta({ id: 'DeletedGroup' });

export const BulkBody = z
  .strictObject({
    action: z.enum(['revoke', 'reassign', 'delete']),
    ids: z.array(Id).min(1).max(1000),
    dry_run: z.boolean().default(false),
  })
  .meta({
    id: 'BulkSerials',
    description:
      '`delete` removes serials that nobody has redeemed and no reseller has handed out, and skips the others.',
  });
export const BulkAnswer = z
  .object({
    count: z.int().describe('The number of serials changed.'),
    skipped: z.int().describe('Serials already in that state, redeemed, handed out, or not found.'),
    dry_run: z.boolean(),
    changed_at,
  })
  .meta({ id: 'BulkSerialsAnswer' });

export const RevokeBatchQuery = z.object({ dry_run: DryRun });
export const RevokedBatch = z.object({ count: z.int(), dry_run: z.boolean(), changed_at }).meta({ id: 'RevokedBatch' });

export const UndoChangeBody = z
  .strictObject({
    changed_at: Time.describe('As the change answered it.'),
    dry_run: z.boolean().default(false),
  })
  .meta({ id: 'UndoSerialChange' });

/** A product has fewer serials left than the account's threshold. */
export const LowSerialsEvent = z.object({
  type: z.literal('low_serials'),
  data: z.object({ product_id: Id, product_name: z.string(), serials_available: z.int(), threshold: z.int() }),
});
export type LowSerialsEvent = z.output<typeof LowSerialsEvent>;
