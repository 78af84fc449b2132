import { domainToASCII, domainToUnicode } from 'node:url';
import library from 'validator/lib/isEmail.js';
import { z } from 'zod';
import { narrow, withoutUnseen } from './text.ts';

// a CommonJS module with its function under this name
const { default: isEmail } = library;

/** Accepts most addresses quickly: an import has millions. What does not match is left to the library. */
const PLAIN = /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const ASCII = /^[\x21-\x7e]*$/;
/** A quoted local part may contain anything; nobody has one, and most software fails on them. */
const UNWANTED = /["\s\p{Cc}\p{Z}]/u;
const LONGEST = 254;
const LONGEST_LOCAL = 64;

/** The dot that some keyboards write in a domain. */
const WIDE_DOT = /。/g;

/**
 * An email address as it is kept and written to, or null for what is none. Local parts and domains may be of any script
 * (RFC 6531): `müller@label.de`, `jo@münchen.de`.
 */
export function parseEmail(text: string): string | null {
  const address = clean(text);
  if (address.length > LONGEST) return null;
  const at = address.lastIndexOf('@');
  if (PLAIN.test(address)) return at <= LONGEST_LOCAL ? address : null;
  // half a character makes the library throw
  if (!address.isWellFormed() || UNWANTED.test(address) || !isEmail(address)) return null;
  // a domain that DNS cannot look up is invalid, whatever it looks like
  return domainToASCII(address.slice(at + 1)) === '' ? null : address;
}

/**
 * The form in which addresses are compared and unique: lower case, composed characters, and a domain in Unicode however
 * it was written, so that `jo@xn--mnchen-3ya.de` is `jo@münchen.de`. It is readable, so people can search in it.
 */
export function emailKey(email: string): string {
  const address = clean(email).toLowerCase();
  if (ASCII.test(address) && !address.includes('xn--')) return address;
  const at = address.lastIndexOf('@') + 1;
  const domain = domainToUnicode(domainToASCII(address.slice(at)));
  return address.slice(0, at).normalize('NFC') + (domain || address.slice(at));
}

/** A mailto link for an address, whose local part may contain characters with a meaning in URLs. */
export function mailtoUrl(address: string): string {
  return `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
}

const MESSAGE = 'Enter a valid email address.';

/** An address in a request. */
export const Email = z.string(MESSAGE).meta({ format: 'idn-email' }).transform(parsed);

/** The same where an empty text or null means none. */
export const OptionalEmail = z
  .string(MESSAGE)
  .meta({ format: 'idn-email' })
  .nullable()
  .transform((text, context) => (text === null || text.trim() === '' ? null : parsed(text, context)));

function parsed(text: string, context: { addIssue(issue: { code: 'custom'; message: string }): void }): string {
  const address = parseEmail(text);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: MESSAGE });
  return z.NEVER;
}

/** Removes what was copied along, and writes it as every keyboard does: `ｕｓｅｒ＠ｅｘａｍｐｌｅ.com` is `user@example.com`. */
function clean(text: string): string {
  const trimmed = text.trim();
  return ASCII.test(trimmed) ? trimmed : narrow(withoutUnseen(trimmed)).replace(WIDE_DOT, '.').trim();
}
