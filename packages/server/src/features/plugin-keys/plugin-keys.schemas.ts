import { z } from 'zod';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Id, reportDays, Time } from '#platform/http/schemas.ts';

const Label = oneLine().max(100, 'Use at most 100 characters.');
const MOST_GRACE = 90 * 86_400;

export const CreateKeyBody = z
  .strictObject({
    label: Label.nullish().transform((value) => value || 'Universal API key'),
    is_test: z
      .boolean()
      .default(false)
      .describe('For builds in development: only such a key accepts TEST-ACTV, TEST-OLDT and TEST-WRNG serials.'),
  })
  .meta({ id: 'CreatePluginKey' });

export const RotateKeyBody = z
  .strictObject({
    grace_seconds: z
      .int()
      .min(0)
      .max(MOST_GRACE, 'The old key can keep working for at most 90 days.')
      .default(7 * 86_400)
      .describe('How long the old key keeps working.'),
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
    lastUsedAt: Time.nullable().describe('Up to one minute behind.'),
    hint: z.string().describe('The last four characters.'),
    can_reveal: z.boolean().describe('Whether the secret can be shown again. If not, rotate the key to get a new one.'),
    expires_at: Time.nullable().describe('When the grace period of a rotation ends.'),
    successor_id: Id.nullable().describe('The key that replaces this one.'),
    is_expiring: z.boolean().describe('The key still works, but will stop working at a known time.'),
  })
  .meta({ id: 'PluginKey' });
export type PluginKeyView = z.output<typeof PluginKeyView>;

export const PluginKeys = z.object({ keys: z.array(PluginKeyView) }).meta({ id: 'PluginKeys' });
export const RevealedKey = z.object({ ok: z.literal(true), plaintext: z.string() }).meta({ id: 'RevealedPluginKey' });
export const NewKey = z
  .object({ ok: z.literal(true), plaintext: z.string(), key: PluginKeyView })
  .meta({ id: 'NewPluginKey' });

export const KeyReportQuery = z.object(reportDays('the account’s time zone', '; at most 366 days'));
export type KeyReportQuery = z.output<typeof KeyReportQuery>;

export const KeyReport = z
  .object({
    keys: z
      .array(
        z.object({
          key_id: Id.describe('The plugin key.'),
          label: z.string().nullable().describe('Null: the key was deleted.'),
          is_test: z.boolean().nullable().describe('For builds in development; null: the key was deleted.'),
          calls: z.array(z.int()).describe('Calls of plugins with this key, one number for each day in order.'),
          refused: z.array(z.int()).describe('Those of them that were refused.'),
        }),
      )
      .describe('Keys that were used in these days, the most used first. Up to one minute behind.'),
    startDate: z.string(),
    endDate: z.string(),
    time_zone: z.string().describe('The time zone in which days begin and end.'),
  })
  .meta({ id: 'PluginKeyReport' });
export type KeyReport = z.output<typeof KeyReport>;
