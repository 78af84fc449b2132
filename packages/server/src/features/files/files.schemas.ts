import { z } from 'zod';
import { Id, Time } from '#platform/http/schemas.ts';

const MIB = 1024 * 1024;
export const PART_SIZE = 8 * MIB;
export const MAX_FILE_SIZE = 5 * 1024 * MIB;

export const CreateFileBody = z
  .strictObject({
    name: z.string().max(2000).describe('Folders, control characters and anything past 200 characters are dropped.'),
    size: z
      .int()
      .min(1, 'An empty file cannot be stored.')
      .max(MAX_FILE_SIZE, 'A file can have at most 5 GB.')
      .describe('In bytes, at most 5 GiB.'),
  })
  .meta({ id: 'CreateFile' });

export const FileView = z
  .object({
    id: Id,
    name: z.string(),
    size: z.int(),
    received: z.int().describe('Bytes stored so far. The next part begins here.'),
    part_size: z.int().describe('The size of every part except the last, in bytes.'),
    complete: z.boolean(),
    sha256: z
      .string()
      .nullable()
      .describe(
        'Of the whole file, in lower-case hexadecimal; null until it has been computed, soon after the upload.',
      ),
    url: z.string().describe('The value to put into a product’s `file_urls` for this file.'),
    created_at: Time,
  })
  .meta({ id: 'StoredFile' });
export type FileView = z.output<typeof FileView>;

/** Loose: what is not named here must stay in the headers. */
export const PartHeaders = z.looseObject({
  'upload-offset': z
    .string()
    .regex(/^\d{1,12}$/, 'Send the offset of the part’s first byte.')
    .describe('Where the part begins. Must equal `received`.'),
});
