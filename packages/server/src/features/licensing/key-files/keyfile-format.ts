import { constants, type KeyObject, privateDecrypt } from 'node:crypto';

/** JUCE's key file, to the byte: what KeyGeneration writes and OnlineUnlockStatus reads. Pure but for OpenSSL. */

/** The content of a key file. The payload is signed; the header above it is informational, though HISE reads it too. */
export interface KeyFileFacts {
  /** As the plugin calls itself: JUCE's getProductID(), in HISE "Name Version". */
  app: string;
  user: string;
  email: string;
  machines: readonly string[];
  createdAt: Date;
  /** Makes the expiring kind. */
  expiresAt: Date | null;
  /** Chance, 128 bits in hexadecimal, which nobody can know before the file is there. */
  salt: string;
}

export interface RsaPair {
  /** Lower-case hexadecimal without leading zeros, as JUCE writes numbers. */
  modulus: string;
  privateKey: KeyObject;
}

const LINE = 70;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The whole file. A file with an expiry carries the signed time of its creation, because HISE opens it only given such
 * a time, and an offline machine cannot request one. `inside` goes between the header and the key: JUCE reads only what
 * follows the last `#`, and HISE only the header's lines, so another license can travel in the same file. It must
 * contain no `#`.
 */
export function keyFileText(facts: KeyFileFacts, pair: RsaPair, inside = ''): string {
  const header = [
    `Keyfile for ${oneLine(facts.app)}`,
    `User: ${oneLine(facts.user)}`,
    `Email: ${oneLine(facts.email)}`,
    `Machine numbers: ${facts.machines.join(',')}`,
    `Created: ${juceTime(facts.createdAt)}`,
    ...(facts.expiresAt
      ? [`Expires: ${juceTime(facts.expiresAt)}`, `Signed time: ${hiseTime(facts.createdAt, pair)}`]
      : []),
    ...(inside === '' ? [] : ['', ...inside.split('\n')]),
    '',
  ];
  const hex = `#${applyToValue(payloadXml(facts), pair)}`;
  const wrapped = hex.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return `${[...header, ...wrapped].join('\r\n')}\r\n`;
}

/**
 * The signed part. An expiring key has both of its attributes, or JUCE would take it for one without an end. JUCE signs
 * a number in base n, each digit of it by itself and without padding: an attacker could choose names and machine ids so
 * that a digit is another key file, and get that signed. So the salt comes last, where the number is highest: it
 * changes every digit below. JUCE and HISE read attributes by name.
 */
export function payloadXml(facts: KeyFileFacts): string {
  const machines = facts.machines.join(',');
  const attributes: [string, string][] = [
    ['user', oneLine(facts.user)],
    ['email', oneLine(facts.email)],
    ...(facts.expiresAt ? [] : ([['mach', machines]] as [string, string][])),
    ['app', oneLine(facts.app)],
    ['date', facts.createdAt.getTime().toString(16)],
    ...(facts.expiresAt
      ? ([
          ['expiring_mach', machines],
          ['expiryTime', facts.expiresAt.getTime().toString(16)],
        ] as [string, string][])
      : []),
    ['salt', facts.salt],
  ];
  const inner = attributes.map(([name, value]) => `${name}="${juceEscape(value)}"`).join(' ');
  return `<?xml version="1.0" encoding="UTF-8"?> <key ${inner}/>`;
}

/**
 * JUCE's RSAKey::applyToValue with the private key: the text as a little-endian number, cut into digits of base n, each
 * raised by OpenSSL (blinded, and quick), put together in reversed order. Hexadecimal.
 */
export function applyToValue(text: string, pair: RsaPair): string {
  const modulus = BigInt(`0x${pair.modulus}`);
  const bytes = Math.ceil(pair.modulus.length / 2);
  let value = BigInt(`0x${Buffer.from(text, 'utf8').reverse().toString('hex')}`);
  let result = 0n;
  while (value > 0n) {
    const digit = Buffer.from((value % modulus).toString(16).padStart(bytes * 2, '0'), 'hex');
    const raised = privateDecrypt({ key: pair.privateKey, padding: constants.RSA_NO_PADDING }, digit);
    result = result * modulus + BigInt(`0x${raised.toString('hex')}`);
    value /= modulus;
  }
  return result.toString(16);
}

/** A moment that HISE's Unlocker.checkExpirationData believes, because only the product's private key can write it. */
export function hiseTime(at: Date, pair: RsaPair): string {
  return `0x${applyToValue(isoSecond(at), pair)}`;
}

/** Whole seconds: the pair signs without padding, and so the fewer texts it has signed, the better. */
export function isoSecond(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

/** Attribute text as JUCE writes it: everything outside printable ASCII as a decimal reference. */
export function juceEscape(text: string): string {
  return [...text]
    .map((char) => {
      const code = char.codePointAt(0) as number;
      return named[char] ?? (code < 32 || code > 126 ? `&#${code};` : char);
    })
    .join('');
}

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** `21 Nov 2026 1:33:47am`, in UTC. */
export function juceTime(at: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = at.getUTCHours();
  const clock = `${hours % 12 || 12}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}${hours < 12 ? 'am' : 'pm'}`;
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()} ${clock}`;
}

/** The header is read by lines, and a `#` late in it could be taken for the key. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
