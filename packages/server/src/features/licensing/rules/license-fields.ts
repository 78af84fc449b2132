import { z } from 'zod';
import { codeOfEmail } from '#platform/text/code-in-text.ts';
import { OptionalEmail } from '#platform/text/email-address.ts';
import { isEveryComputer, isPlaceholder } from './machine-ids.ts';

/**
 * The fields that plugins send. Customers read the messages, so every field has a sentence of its own for whatever can
 * be wrong with it, a wrong type included.
 */

/** Forms repeat fields and scripts send numbers: the first of a list counts, and a number is its digits. */
const textOf = (value: unknown): unknown => {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'number' ? String(first) : first;
};

/** Invisible characters: zero-width spaces, soft hyphens, directional marks. */
const UNSEEN = /\p{Cf}/gu;
const PLAIN = /^[\x20-\x7e]*$/;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** One clean line of at most so many characters; null when nothing is left. */
export function tidy(value: unknown, max: number): string | null {
  const text = textOf(value);
  if (typeof text !== 'string') return null;
  if (text.length <= max && PLAIN.test(text)) return text.trim() || null;
  // a character is at most two code units, and the rest of a long text does not have to be cleaned
  const line = text
    .slice(0, max * 8)
    .toWellFormed()
    .replace(BREAKS, ' ')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .trim();
  return [...line].slice(0, max).join('').trimEnd() || null;
}

/**
 * A string in the contract. The transform behind it checks the actual value: every zod step costs, and these are hot.
 */
const anyText = z.any().meta({ anyOf: [{ type: 'string' }, { type: 'null' }] });

/**
 * Optional details that a plugin sends about itself, its machine or its owner. No decision depends on them, so they are
 * cleaned and truncated and never a reason to refuse a license.
 */
export const note = (max = 100) => anyText.optional().transform((value) => tidy(value, max));

/** A text that something is decided by; an empty field of a form was not filled in. */
export const optionalText = (max: number, message: string, read = (text: string) => text) =>
  anyText.optional().transform((value, context): string | null => {
    const text = textOf(value) ?? null;
    if (text === null) return null;
    const trimmed = typeof text === 'string' ? read(text.trim()) : undefined;
    if (trimmed !== undefined && trimmed.length <= max) return trimmed || null;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const TOO_LONG_A_KEY = 'The license key is too long.';
const NO_KEY = 'Enter your license key.';

export const LicenseKey = z
  .string(NO_KEY)
  .trim()
  .overwrite(codeOfEmail)
  .min(1, NO_KEY)
  .max(200, TOO_LONG_A_KEY)
  .refine((key) => !key.includes('\0') && key.isWellFormed(), 'The license key has invalid characters.');
export const OptionalLicenseKey = z
  .string(NO_KEY)
  .trim()
  .overwrite(codeOfEmail)
  .max(200, TOO_LONG_A_KEY)
  .nullish()
  .transform((value) => value || null);

/**
 * Separators of the key files that stock clients parse, white space and control characters would change the meaning.
 */
const MACHINE_ID = /^[^,;#\s\p{Cc}\p{Cs}]{1,256}$/u;
const NO_MACHINE = 'The plugin did not send a machine id (machine_id).';

export const MachineId = z
  .string(NO_MACHINE)
  .min(1, NO_MACHINE)
  .max(256, 'The id of this computer is longer than 256 characters (machine_id).')
  .regex(MACHINE_ID, 'The id of this computer must not contain , ; # spaces or control characters (machine_id).')
  .refine((id) => !isEveryComputer(id), 'This id is no computer’s: it is reserved (machine_id).');

/** The id of a machine that asks for a seat or a trial. One that has a seat under such an id may go on. */
export const NewMachineId = MachineId.refine(
  (id) => !isPlaceholder(id),
  'The id of this computer is a placeholder that many computers share (machine_id).',
);

/** As many network adapters as any computer has. */
const MOST_OLD_IDS = 32;

/** A text or a list, in the contract: a form sends a single value without a list. */
export const textOrList = z.any().meta({
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
});

/**
 * Other ids of the same machine: a list, a repeated field of a form, or one text with commas or spaces between them.
 * Values that cannot be ids are left out, because the ids are only there to help.
 */
export const OldMachineIds = textOrList
  .transform((value): string[] => {
    const parts = (Array.isArray(value) ? value : [value]).slice(0, MOST_OLD_IDS);
    const ids = parts.flatMap((part) => (typeof part === 'string' ? part.slice(0, 8192).split(/[,;\s]+/) : []));
    return [...new Set(ids)].filter((id) => MACHINE_ID.test(id) && !isEveryComputer(id)).slice(0, MOST_OLD_IDS);
  })
  .optional()
  .describe(
    'Other ids of the same machine, usually older ones: a list, or one comma-separated string. A seat held by any of them moves to this machine.',
  );

export const LicenseEmail = z
  .preprocess((value) => textOf(value) ?? null, OptionalEmail)
  .optional()
  .transform((value) => value ?? null);
export const ProductId = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    z.uuid('product_id must be a product’s id.'),
  )
  .transform((id) => id.toLowerCase());
export const ProductText = optionalText(200, 'The plugin sent an invalid product.');
export const RequiredToken = z
  .string('The validation token is missing.')
  .trim()
  .min(1, 'The validation token is missing.')
  .max(4000, 'The validation token is too long.');
export const ValidationToken = optionalText(4000, 'The validation token is too long.');

/** A plugin key as two fields, where the address of a stock client cannot carry headers. */
export const credentialFields = {
  app_id: optionalText(100, 'app_id is the id of the plugin’s developer.').describe(
    'The developer’s id, if it is not in a header or the query.',
  ),
  app_key: optionalText(200, 'app_key is a plugin key.').describe(
    'The plugin key, if it is not in a header or the query.',
  ),
};
