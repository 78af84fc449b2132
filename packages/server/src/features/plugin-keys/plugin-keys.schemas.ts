import { z } from 'zod';
import { Id, Time } from '../../platform/http/schemas.ts';

export const CreateKeyBody = z
  .strictObject({
    label: z
      .string()
      .trim()
      .max(100, 'Use at most 100 characters.')
      .nullish()
      .transform((value) => value || 'Universal API key'),
  })
  .meta({ id: 'CreatePluginKey' });

export const PluginKeyView = z
  .object({
    id: Id,
    label: z.string(),
    isActive: z.boolean(),
    createdAt: Time,
    lastUsedAt: Time.nullable().describe('At most a minute late.'),
    hint: z.string().describe('The last four characters.'),
  })
  .meta({ id: 'PluginKey' });
export type PluginKeyView = z.output<typeof PluginKeyView>;

export const PluginKeys = z.object({ keys: z.array(PluginKeyView) }).meta({ id: 'PluginKeys' });
export const RevealedKey = z.object({ ok: z.literal(true), plaintext: z.string() }).meta({ id: 'RevealedPluginKey' });
export const NewKey = z
  .object({ ok: z.literal(true), plaintext: z.string(), key: PluginKeyView })
  .meta({ id: 'NewPluginKey' });
