import { z } from 'zod';

/** The contents of an archive. Its SHA-256 is sealed with the passphrase, so that nobody else can change it. */
export const Manifest = z.object({
  format: z.literal('tonerow-account'),
  /** The version of this description. A reader refuses a higher one. */
  version: z.int().positive(),
  created_at: z.string(),
  /** Whose it is. */
  account: z.object({ id: z.uuid(), email: z.string(), role: z.string() }),
  /** The migrations of the server that made it. */
  migrations: z.array(z.string()),
  /** Tables, in the order in which their rows can be added. */
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.int().nonnegative(),
      /** As they are in the files. */
      columns: z.array(z.string()),
      /** The columns that are only in the sealed part. */
      sealed: z.array(z.string()),
      owner: z.string(),
      /** Why it is not restored; null: it is. */
      kept_because: z.string().nullable(),
    }),
  ),
  left_out: z.record(z.string(), z.string()),
  /** Every file of the archive but this one and the sealed one. */
  files: z.array(z.object({ path: z.string(), bytes: z.int().nonnegative(), sha256: z.string().length(64) })),
  /** Files that a row names, and that were not in the storage. */
  missing: z.array(z.string()),
});
export type Manifest = z.output<typeof Manifest>;

export const VERSION = 1;
export const MANIFEST = 'manifest.json';
export const SEALED = 'sealed.age';
export const README = 'README.txt';
export const linesOf = (table: string) => `tables/${table}.jsonl`;
export const csvOf = (table: string) => `tables/${table}.csv`;

/** A line of the sealed part. The first has the manifest’s SHA-256. */
export const SealedHead = z.object({ manifest_sha256: z.string().length(64) });
export const SealedValue = z.object({ table: z.string(), id: z.uuid(), column: z.string(), base64: z.string() });
export type SealedValue = z.output<typeof SealedValue>;

export const readme = (email: string) => `Everything that Tonerow has of the account ${email}.

manifest.json   what is here: counts of rows, sizes and SHA-256 of files, what was left out and why
tables/         every table, as JSON Lines and as CSV; moments are in UTC, amounts in cents
files/, images/ what was uploaded, by its id; names are in tables/files.csv
imports/        files of imports that were not finished
sealed.age      signing keys, plugin keys, RSA keys and other secrets, as JSON Lines with base64. Open it with the passphrase:

                age -d sealed.age        (https://age-encryption.org)

On another server: tonerow-server account restore FILE --passphrase-file FILE
`;
