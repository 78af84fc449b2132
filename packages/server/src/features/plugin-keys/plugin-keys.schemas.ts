import { z } from 'zod';
import { Id, Time } from '../../platform/http/schemas.ts';

const Label = z.string().trim().max(100, 'Use at most 100 characters.');
const MOST_GRACE = 90 * 86_400;

export const CreateKeyBody = z
  .strictObject({
    label: Label.nullish().transform((value) => value || 'Universal API key'),
    is_test: z
      .boolean()
      .default(false)
      .describe('For builds in development: only such a key opens TEST-ACTV, TEST-OLDT and TEST-WRNG serials.'),
  })
  .meta({ id: 'CreatePluginKey' });

export const RotateKeyBody = z
  .strictObject({
    grace_seconds: z
      .int()
      .min(0)
      .max(MOST_GRACE, 'The old key can go on for 90 days at most.')
      .default(7 * 86_400)
      .describe('How long the old key goes on working.'),
    label: Label.nullish().transform((value) => value || null),
  })
  .meta({ id: 'RotatePluginKey' });
export type RotateKeyBody = z.output<typeof RotateKeyBody>;

export const UpdateKeyBody = z
  .strictObject({ label: Label.min(1, 'Enter a label.').optional(), is_active: z.boolean().optional() })
  .refine((body) => body.label !== undefined || body.is_active !== undefined, 'Send a label, is_active, or both.')
  .meta({ id: 'UpdatePluginKey' });
export type UpdateKeyBody = z.output<typeof UpdateKeyBody>;

export const KeysQuery = z.object({
  stale_days: z.coerce.number().int().min(1).max(3650).optional().describe('Only keys not used for so many days.'),
});

export const PluginKeyView = z
  .object({
    id: Id,
    label: z.string(),
    isActive: z.boolean(),
    is_test: z.boolean().describe('For builds in development.'),
    createdAt: Time,
    lastUsedAt: Time.nullable().describe('At most a minute late.'),
    hint: z.string().describe('The last four characters.'),
    can_reveal: z.boolean().describe('Whether the secret can be shown again. Where not, rotate the key.'),
    expires_at: Time.nullable().describe('The end of a rotation’s grace.'),
    successor_id: Id.nullable().describe('The key that takes this one’s place.'),
    is_expiring: z.boolean().describe('It works still, and has an end.'),
  })
  .meta({ id: 'PluginKey' });
export type PluginKeyView = z.output<typeof PluginKeyView>;

export const PluginKeys = z.object({ keys: z.array(PluginKeyView) }).meta({ id: 'PluginKeys' });
export const RevealedKey = z.object({ ok: z.literal(true), plaintext: z.string() }).meta({ id: 'RevealedPluginKey' });
export const NewKey = z
  .object({ ok: z.literal(true), plaintext: z.string(), key: PluginKeyView })
  .meta({ id: 'NewPluginKey' });
