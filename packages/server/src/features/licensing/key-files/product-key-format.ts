import { constants, createPrivateKey, type KeyObject, privateDecrypt, publicEncrypt } from 'node:crypto';

export const BITS = 2048;
const MOST_BITS = 4096;
const EXPONENT = 65537n;

export interface PublicPair {
  exponent: string;
  modulus: string;
}

export const keyForms = ['json', 'juce', 'cpp', 'hise'] as const;

/** "e,n" in hexadecimal: what RSAKey's constructor reads. */
export function juceKey(pair: PublicPair): string {
  return `${pair.exponent},${pair.modulus}`;
}

export function cppLine(pair: PublicPair): string {
  return `static const juce::RSAKey publicKey ("${juceKey(pair)}");\n`;
}

/** HISE reads the PrivateKey element without looking whether it is there, so an empty one is. */
export function hiseXml(pair: PublicPair): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '',
    '<KeyPair>',
    `  <PublicKey value="${juceKey(pair)}"/>`,
    '  <PrivateKey value=""/>',
    '</KeyPair>',
    '',
  ].join('\n');
}

/** The public numbers as JUCE writes them: hexadecimal, lower case, without leading zeros. */
export function numbersOf(privateKey: KeyObject): PublicPair {
  const { n, e } = privateKey.export({ format: 'jwk' });
  return { modulus: hexOf(n as string), exponent: hexOf(e as string) };
}

function hexOf(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString('hex').replace(/^0+/, '');
}

/**
 * An own pair, if it may be used. Key files have no padding, so with a small exponent anybody who has the public key
 * could write accepted ones.
 * @returns the key, or what is wrong with it.
 */
export function readPrivatePem(pem: string): KeyObject | string {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return 'This is not a PEM private key, or it has a passphrase.';
  }
  if (key.asymmetricKeyType !== 'rsa') return 'The key must be an RSA key.';
  const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < BITS) return `The key must have at least ${BITS} bits.`;
  if (modulusLength > MOST_BITS) return `The key must have at most ${MOST_BITS} bits.`;
  if (publicExponent !== EXPONENT) return 'The public exponent must be 65537.';
  return fits(key, modulusLength) ? key : 'The numbers of this key do not match.';
}

function fits(key: KeyObject, bits: number): boolean {
  const value = Buffer.alloc(Math.ceil(bits / 8), 0x11);
  value[0] = 0;
  const padding = constants.RSA_NO_PADDING;
  try {
    return publicEncrypt({ key, padding }, privateDecrypt({ key, padding }, value)).equals(value);
  } catch {
    return false;
  }
}
