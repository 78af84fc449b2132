import { z } from 'zod';
import { note, ProductId } from '../rules/license-fields.ts';

export const UpdateQuery = z.object({
  product_id: ProductId.describe('The id of the product that the plugin is.'),
  version: note().describe('The plugin’s own version. Without it, what customers get now is always answered.'),
  os: note().describe('The machine’s operating system, in any words that name macOS, Windows or Linux.'),
  arch: note().describe('The processor that the plugin is built for, such as `arm64` or `x86_64`.'),
});
export type UpdateQuery = z.output<typeof UpdateQuery>;

export const PluginUpdate = z
  .object({
    ok: z.literal(true),
    up_to_date: z.boolean().describe('Whether there is nothing newer. Then this is all of the answer.'),
    version: z.string().optional().describe('The version that customers get now.'),
    notes: z.string().optional().describe('What is new, as plain text; empty: the developer wrote nothing.'),
    link: z
      .string()
      .optional()
      .describe('The developer’s redemption page, where owners download it. Nobody else gets a file there.'),
    file: z
      .object({
        name: z.string().describe('The file’s name.'),
        size: z.int().describe('In bytes.'),
        sha256: z.string().describe('In lower-case hexadecimal.'),
        signature: z
          .string()
          .describe(
            'An EdDSA JWT of the type `tonerow-update+jwt` over product (`aud`), version (`ver`), name (`file`), `size` and `sha256`. Open nothing that differs from it.',
          ),
      })
      .optional()
      .describe('The one file for this system and processor; missing where there is none, or more than one.'),
  })
  .meta({ id: 'PluginUpdate' });
export type PluginUpdate = z.output<typeof PluginUpdate>;
