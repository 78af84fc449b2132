import { z } from 'zod';
import { COUNTED_PAGE, Id, Search, Time } from '#platform/http/schemas.ts';
import { hasTwoDecimals } from '#platform/money.ts';

export const Rate = z.number().min(0).max(100).refine(hasTwoDecimals, 'Use at most two decimals.');

const Status = z
  .enum(['named', 'active', 'paused', 'ended', 'merged'])
  .describe('`named`: it has no account yet. `merged`: it was named, and has become part of another one.');
const PartnerStatus = z.enum(['active', 'paused', 'ended']);
export type PartnerStatus = z.output<typeof PartnerStatus>;
export type PartnershipStatus = z.output<typeof Status>;

const totals = {
  total_redemptions: z.int().describe('All redemptions of serials that this reseller was given.'),
  total_revenue: z.number().describe('What they were worth, in dollars.'),
  total_commission: z.number().describe('The commission on them, in dollars.'),
};

const about = {
  company_name: z.string(),
  logo_url: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email: z.string().nullable(),
  website: z.string().nullable().describe('The website; null: none.'),
  business_address: z.string().nullable(),
  tax_id: z.string().nullable(),
};

const reseller = {
  id: Id.describe('The id of the partnership, to which serials are assigned.'),
  name: z.string().describe('What the developer’s lists call the reseller.'),
  ...about,
  commission_rate: z.number(),
  status: Status,
  since: Time.nullable().describe('Since when the two are partners; null: it has no account yet.'),
  ended_at: Time.nullable().describe('When the partnership ended; null: it has not.'),
  merged_into: Id.nullable().describe(
    'The partnership that it has become part of, with its serials, when its status is `merged`.',
  ),
  low_stock_threshold: z
    .int()
    .nullable()
    .describe('A product with fewer serials left at this reseller is low; null: nobody is notified.'),
  low_stock_products: z.int().describe('How many products were reported low and not restocked since.'),
  ...totals,
};
export const Reseller = z.object(reseller).meta({ id: 'Reseller' });
export type Reseller = z.output<typeof Reseller>;

const Happening = z
  .object({
    id: Id,
    kind: z
      .enum(['invited', 'accepted', 'claimed', 'rate_changed', 'paused', 'resumed', 'ended', 'merged'])
      .describe(
        'What happened. `claimed`: the reseller’s account took over a reseller that was only named before. `merged`: such a reseller became part of this partnership.',
      ),
    reseller_name: z
      .string()
      .nullable()
      .describe(
        'The named reseller that it happened to, which has become part of this partnership; null: it happened here.',
      ),
    by: z.enum(['developer', 'reseller']).describe('Who did it.'),
    commission_rate: z.number().nullable().describe('The commission in percent from then on; null: it stayed.'),
    commission_rate_before: z.number().nullable().describe('The commission in percent until then; null: none.'),
    happened_at: Time.describe('When it happened.'),
  })
  .meta({ id: 'PartnershipHappening' });
export type Happening = z.output<typeof Happening>;
export type HappeningKind = Happening['kind'];

const history = {
  history: z
    .array(Happening)
    .describe('The history of the partnership: at most its newest 200 entries, the newest first.'),
  history_total: z.int().describe('How many entries the history has in all.'),
};

export const ResellerProfile = z.object({ ...reseller, ...history }).meta({ id: 'ResellerProfile' });
export type ResellerProfile = z.output<typeof ResellerProfile>;

export const ListResellersQuery = z.object({
  status: Status.optional().describe('Only partnerships in this state. Default: all but ended and merged ones.'),
  search: Search.describe('Part of a name.'),
  ...COUNTED_PAGE,
});
export const ConnectedResellersQuery = ListResellersQuery.pick({ limit: true, cursor: true, count: true });

export const ChangeResellerBody = z
  .strictObject({
    commission_rate: Rate.optional().describe(
      'The commission in percent, with at most two decimals. It counts for later redemptions only.',
    ),
    low_stock_threshold: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullish()
      .describe('Notify both sides, once, when a product has fewer serials left at this reseller. Null: never.'),
  })
  .meta({ id: 'ChangeReseller' });
export type ResellerChanges = z.output<typeof ChangeResellerBody>;

export const MergeBody = z
  .strictObject({
    into: Id.describe('The partnership that it becomes part of: an active or paused one of the same developer.'),
    dry_run: z.boolean().default(false).describe('Only report what would change.'),
  })
  .meta({ id: 'MergeReseller' });
export type MergeOrder = z.output<typeof MergeBody>;

export const Merged = z
  .object({
    dry_run: z.boolean(),
    batches: z.int().describe('Batches that move.'),
    serials: z.int().describe('Serials among them that can still be sold.'),
    redemptions: z.int().describe('Past redemptions, which the reseller sees from then on.'),
    commission_rate_before: z.number().describe('The commission in percent that the serials earned until then.'),
    reseller: ResellerProfile.describe('The partnership that it has become part of, as it is then.'),
  })
  .meta({ id: 'ResellerMerged' });
export type Merged = z.output<typeof Merged>;

export const MessageBody = z
  .strictObject({
    message: z
      .string()
      .trim()
      .min(1, 'Enter a message.')
      .max(5000)
      .transform((text) => text.replace(/\r\n?/g, '\n'))
      .describe('Plain text.'),
  })
  .meta({ id: 'MessageReseller' });

const developer = {
  id: Id.describe('The developer’s id.'),
  partnership_id: Id.describe('The id of the partnership.'),
  name: z.string().describe('What the developer is called.'),
  ...about,
  commission_rate: z.number(),
  status: PartnerStatus,
  since: Time.describe('Since when the two are partners.'),
  ended_at: Time.nullable().describe('When the partnership ended; null: it has not.'),
  ...totals,
};
export const PartnerDeveloper = z.object(developer).meta({
  id: 'PartnerDeveloper',
  description: 'Of a developer whose partnership has ended, only the name and what was earned are left.',
});
export type PartnerDeveloper = z.output<typeof PartnerDeveloper>;

const PartnerProduct = z
  .object({
    id: Id,
    name: z.string(),
    image_url: z.string().nullable(),
    price: z.number().nullable(),
    sale_price: z.number().nullable(),
  })
  .meta({ id: 'PartnerProduct' });
export type PartnerProduct = z.output<typeof PartnerProduct>;

export const PartnerDeveloperProfile = z
  .object({
    ...developer,
    products: z
      .array(PartnerProduct)
      .describe('The developer’s published products, at most 500 by name. Empty while the partnership is paused.'),
    products_total: z
      .int()
      .describe('How many published products the developer has. 0 while the partnership is paused.'),
    ...history,
  })
  .meta({ id: 'PartnerDeveloperProfile' });
export type PartnerDeveloperProfile = z.output<typeof PartnerDeveloperProfile>;

export const ListDevelopersQuery = z.object({
  status: PartnerStatus.optional().describe('Only partnerships in this state. Default: all but ended ones.'),
  search: Search.describe('Part of a name.'),
  ...COUNTED_PAGE,
});

/** A partnership of the account has changed: its status, its terms, or what it is called. */
export const PartnershipsEvent = z.object({
  type: z.literal('partnerships'),
  data: z.object({ partnership_id: Id, developer_id: Id, status: Status }),
});
export type PartnershipsEvent = z.output<typeof PartnershipsEvent>;
