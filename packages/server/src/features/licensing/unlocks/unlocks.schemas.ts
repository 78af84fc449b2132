import { z } from 'zod';
import { COUNTED_PAGE, Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';

export const audiences = ['owners', 'everyone'] as const;
export const Audience = z
  .enum(audiences)
  .describe('`owners`: the redemption page offers it to those who own the product. `everyone`: to all who open it.');
export type Audience = z.output<typeof Audience>;

const Confirmation = z
  .string()
  .max(200)
  .describe('The product’s name, typed by whoever decides: what is given away cannot be taken back.');

export const MakeUnlockBody = z.strictObject({ product_name: Confirmation }).meta({ id: 'MakeProductUnlock' });

export const PublishUnlockBody = z
  .strictObject({ product_name: Confirmation, audience: Audience })
  .meta({ id: 'PublishProductUnlock' });

export const ProductUnlock = z
  .object({
    id: Id.describe('Of the unlock; the `sub` of its token.'),
    product_id: Id,
    product_name: z.string(),
    created_at: Time,
    downloaded_at: Time.nullable().describe(
      'When its file was last put away; null: never. What was put away keeps working.',
    ),
    published_at: Time.nullable().describe('Null: nobody but you can have it.'),
    audience: Audience.nullable().describe('Who can have it; null: it is not published.'),
    url: z.string().nullable().describe('Where its file is, once it is published.'),
  })
  .meta({ id: 'ProductUnlock' });
export type ProductUnlock = z.output<typeof ProductUnlock>;

export const UnlocksQuery = z.object(COUNTED_PAGE);

export const UnlockFile = z
  .object({
    type: z.literal('unlock-for-good'),
    product_id: Id,
    product_name: z.string(),
    developer_id: Id.describe('Whose public keys verify the token.'),
    created_at: Time,
    token: z.string().describe('A JWS of the type `unlock+jwt`, signed with the developer’s Ed25519 key.'),
    key_file: z
      .string()
      .nullable()
      .describe(
        'The same for plugins with JUCE’s own classes that have `EVERY-COMPUTER` among their machine ids: a key file. Null: the product has no RSA key pair. JUCE reads the whole document as it is, so this stays the last field.',
      ),
  })
  .meta({
    id: 'UnlockFile',
    description: 'A license file for every computer, without an end: the plugin takes it by drag and drop.',
  });
export type UnlockFile = z.output<typeof UnlockFile>;

export const PublishedQuery = z.object({
  dev: Id.optional().describe(
    'The developer whose page this is. On a custom domain, the host identifies the developer.',
  ),
  limit: Limit,
  cursor: Cursor,
});

export const PublishedUnlock = z
  .object({
    id: Id,
    product_name: z.string(),
    published_at: Time.describe('When it was given to everyone.'),
    url: z.string().describe('Where its file is.'),
  })
  .meta({ id: 'PublishedUnlock' });
