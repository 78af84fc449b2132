import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';
import { ARCHES, SYSTEMS } from './file-platform.ts';

const words = () =>
  z
    .string()
    .trim()
    .max(2000, 'Use at most 2,000 characters.')
    .transform((text) => text.replace(/\r\n?/g, '\n'))
    .refine((text) => !/[^\n\t\P{Cc}]/u.test(text), 'Control characters are not allowed.');

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
    notes: words()
      .optional()
      .describe(
        'What is new, as plain text: plugins show it with the update. Without it, what the owners were emailed is shown.',
      )
      .meta({ examples: ['Presets load twice as fast.'] }),
  })
  .meta({ id: 'CreateFileVersion' });

export type CreateFileVersionBody = z.output<typeof CreateFileVersionBody>;

export const AnnounceVersionBody = z
  .strictObject({
    note: words()
      .transform((text) => text || null)
      .optional()
      .describe('What is new, in your own words, as plain text. An empty line starts a new paragraph.')
      .meta({ examples: ['Presets load twice as fast.'] }),
    dry_run: z.boolean().default(false).describe('Only count who would be emailed.'),
  })
  .meta({ id: 'AnnounceFileVersion' });
export type AnnounceVersionBody = z.output<typeof AnnounceVersionBody>;

export const FileVersionView = z
  .object({
    id: Id,
    product_id: Id,
    name: z.string().describe('What the plugin calls this version.'),
    notes: z.string().describe('What is new, as plugins show it; empty: nothing was written.'),
    is_current: z.boolean().describe('Whether these are the files that customers get now.'),
    files: z
      .array(
        z.object({
          name: z.string(),
          url: z.string().describe('As the product’s `file_urls` have it.'),
          size: z.int().nullable().describe('In bytes; null for a file that is kept elsewhere.'),
          uploaded_at: Time.nullable().describe('Null for a file that is kept elsewhere.'),
          sha256: z
            .string()
            .nullable()
            .describe(
              'In lower-case hexadecimal; null for a file that is kept elsewhere, or whose hash is not computed yet.',
            ),
          os: z.enum(SYSTEMS).nullable().describe('The system that its label or name speaks of; null: none.'),
          arch: z
            .enum(ARCHES)
            .nullable()
            .describe('The processor that its label or name speaks of; null: none, or all.'),
        }),
      )
      .describe('What customers get with this version.'),
    emails: z
      .object({
        started_at: Time,
        ended_at: Time.nullable().describe('Null while they are still being queued.'),
        owners: z.int().describe('How many owners were emailed so far.'),
        expected: z.int().describe('How many there were when it began.'),
      })
      .nullable()
      .describe('The emails to owners about this version; null: none were asked for.'),
    created_at: Time,
  })
  .meta({ id: 'FileVersion' });
export type FileVersionView = z.output<typeof FileVersionView>;

export const AnnouncedVersion = z
  .object({
    owners: z
      .int()
      .describe(
        'How many customers own the product and want such emails. Whoever only came by an import is none of them. Those who have never followed a link of an email are told without your note, once a month at most.',
      ),
    dry_run: z.boolean().describe('Whether nothing was sent.'),
    version: FileVersionView,
  })
  .meta({ id: 'AnnouncedFileVersion' });
export type AnnouncedVersion = z.output<typeof AnnouncedVersion>;
