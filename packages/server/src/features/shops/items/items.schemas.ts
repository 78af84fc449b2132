import { z } from 'zod';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { optionalLine, optionalText } from '#platform/http/input/optional-text.ts';
import { Cursor, Flag, Id, Limit, Time } from '#platform/http/schemas.ts';

export const sources = ['generate', 'pool'] as const;
export type Source = (typeof sources)[number];
export const renewalAnswers = ['ignore', 'issue'] as const;
export type Renewals = (typeof renewalAnswers)[number];

/** Serials of each product for one of what is sold. */
const MOST_UNITS = 100;
/** Products in a bundle. */
const MOST_PRODUCTS = 20;
const MOST_ITEMS = 200;

const Key = oneLine()
  .min(1, 'Enter a key.')
  .max(300)
  .describe('What the shop calls it: a SKU as it is, `variant:…` or `product:…`.');
const Units = z.int().min(1).max(MOST_UNITS).describe('Serials of each product for one of it.');
const From = z
  .enum(sources)
  .describe(
    '`generate`: a new serial for each sale. `pool`: one of the batches with `batch_tag`, as long as there are any.',
  );
const Renewal = z
  .enum(renewalAnswers)
  .describe('What the renewal of a subscription gives: nothing, or a further serial. Nothing extends a serial.');

export const ItemBody = z.strictObject({
  key: Key,
  product_ids: z
    .array(Id)
    .min(1, 'Choose at least one product.')
    .max(MOST_PRODUCTS, `A bundle has at most ${MOST_PRODUCTS} products.`)
    .refine((ids) => new Set(ids).size === ids.length, 'Name each product once, and use units for several serials.')
    .describe('What it is here; several: a bundle.'),
  name: oneLine().max(300).optional().describe('What the shop calls it. Default: as it was, or the key.'),
  units: Units.default(1),
  source: From.default('generate'),
  batch_tag: optionalLine(100).describe('The tag of the batches that serials are made in or taken from.'),
  prefix: z
    .string()
    .toUpperCase()
    .nullish()
    .transform((value) => value || null)
    .refine((value) => value === null || /^[A-Z0-9]{4}$/.test(value), 'Use exactly 4 letters or digits.')
    .refine((value) => value !== 'TEST', 'TEST is kept for test serials. Choose another prefix.')
    .describe('What generated codes begin with.'),
  expires_at: optionalText(40).describe('The last day on which generated serials can be redeemed: a day or a moment.'),
  renewals: Renewal.default('ignore'),
});
export type ItemForm = z.output<typeof ItemBody>;

export const ItemsBody = z
  .strictObject({
    items: z
      .array(ItemBody)
      .min(1, 'Send at least one.')
      .max(MOST_ITEMS, `Send at most ${MOST_ITEMS} at once.`)
      .refine((items) => new Set(items.map(({ key }) => key)).size === items.length, 'Send each key once.')
      .describe('What these keys are from now on; others stay as they are.'),
  })
  .meta({ id: 'MapShopItems' });

export const ItemView = z
  .object({
    key: z.string().describe('What the shop calls it: a SKU as it is, `variant:…` or `product:…`.'),
    name: z.string().describe('What the shop calls it in words.'),
    product_ids: z.array(Id).describe('What it is here; none: it is not mapped, and its orders wait.'),
    products: z
      .array(z.object({ id: Id, name: z.string().nullable().describe('Its name; null: it was deleted.') }))
      .describe('The same with their names.'),
    units: Units,
    source: From,
    batch_tag: z.string().nullable().describe('The tag of the batches that serials are made in or taken from.'),
    prefix: z.string().nullable().describe('What generated codes begin with.'),
    expires_at: Time.nullable().describe('Until when generated serials can be redeemed; null: no end.'),
    renewals: Renewal,
    seen_at: Time.describe('When it was first sold, or mapped.'),
    mapped_at: Time.nullable().describe('When it was last mapped; null: it is not.'),
  })
  .meta({ id: 'ShopItem' });
export type ItemView = z.output<typeof ItemView>;

export const ItemsQuery = z.object({
  unmapped: Flag.describe('Only what nobody has mapped yet.'),
  limit: Limit,
  cursor: Cursor,
});
export const ItemPage = z
  .object({ rows: z.array(ItemView).describe('By their keys.'), next_cursor: z.string().nullable() })
  .meta({ id: 'ShopItemPage' });
export const MappedItems = z
  .object({ items: z.array(ItemView).describe('The items, as they were sent.') })
  .meta({ id: 'MappedShopItems' });
export const ItemParams = z.object({ id: Id, key: z.string().min(1).max(900).describe('The item’s key.') });
