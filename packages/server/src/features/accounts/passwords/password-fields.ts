import { z } from 'zod';
import { settledPassword } from '#platform/secrets/password-hash.ts';

/** 10 characters to 1024 bytes; hashing enforces further requirements. */
export const NewPassword = z
  .string()
  .refine((value) => [...settledPassword(value)].length >= 10, 'Use at least 10 characters.')
  .refine((value) => Buffer.byteLength(value) <= 1024, 'Use at most 1024 bytes.');

export const KnownPassword = z.string().min(1, 'Required.').max(4096);
