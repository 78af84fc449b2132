import { z } from 'zod';

export const CreateArchiveBody = z.strictObject({
  password: z.string().min(1, 'Required.').max(4096).describe('The account’s password.'),
  passphrase: z
    .string()
    .refine((value) => [...value].length >= 12, 'Use at least 12 characters.')
    .refine((value) => Buffer.byteLength(value) <= 1024, 'Use at most 1024 bytes.')
    .refine((value) => !/[\r\n]/.test(value), 'Use one line.')
    .describe(
      'Seals the signing keys and other secrets in the archive, by the age format. It is not kept: without it nobody opens them again.',
    ),
});
export type CreateArchiveBody = z.output<typeof CreateArchiveBody>;

export const AccountArchiveView = z
  .object({
    id: z.uuid(),
    state: z
      .enum(['waiting', 'running', 'complete', 'failed'])
      .describe('`complete`: it can be downloaded. `failed`: `error` names why, and nothing is kept.'),
    tables_done: z.int().describe('Tables that are in it.'),
    tables_total: z.int().describe('Tables that will be in it; 0 before it begins.'),
    files_done: z.int().describe('Files and images that are in it.'),
    files_total: z.int().describe('Files and images that will be in it; 0 before the tables are.'),
    rows: z.int().describe('Rows of the tables that are in it.'),
    size: z.int().nullable().describe('Its bytes; null until it is complete.'),
    sha256: z.string().nullable().describe('SHA-256 of the whole file; null until it is complete.'),
    error: z.string().nullable().describe('Why it failed; null: it did not.'),
    created_at: z.date(),
    finished_at: z.date().nullable(),
    expires_at: z.date().nullable().describe('When it is deleted; null until it has ended.'),
  })
  .meta({ id: 'AccountArchive' });
export type AccountArchiveView = z.output<typeof AccountArchiveView>;
