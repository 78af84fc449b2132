import { z } from 'zod';
import { Id, Time } from '../../../platform/http/schemas.ts';

export const CreateFileVersionBody = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, 'Enter a version.')
      .max(50, 'A version has at most 50 characters.')
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'A version must be one line.')
      .describe('What the plugin calls this version, such as 1.2.0.')
      .meta({ examples: ['1.2.0'] }),
  })
  .meta({ id: 'CreateFileVersion' });

export const FileVersionView = z
  .object({
    id: Id,
    product_id: Id,
    name: z.string().describe('What the plugin calls this version.'),
    is_current: z.boolean().describe('Whether these are the files that customers get now.'),
    files: z
      .array(
        z.object({
          name: z.string(),
          url: z.string().describe('As the product’s `file_urls` have it.'),
          size: z.int().nullable().describe('In bytes; null for a file that is kept elsewhere.'),
          uploaded_at: Time.nullable().describe('Null for a file that is kept elsewhere.'),
        }),
      )
      .describe('What customers get with this version.'),
    created_at: Time,
  })
  .meta({ id: 'FileVersion' });
export type FileVersionView = z.output<typeof FileVersionView>;
