import { createCipheriv, createDecipheriv, createHmac, hkdfSync, scrypt, timingSafeEqual } from 'node:crypto';

// The age format with a passphrase (https://age-encryption.org/v1), so that what is sealed can be opened without us:
// `age -d sealed.age`. Only its scrypt recipient is here.

const INTRO = 'age-encryption.org/v1\n';
const LABEL = 'age-encryption.org/v1/scrypt';
const CHUNK = 64 * 1024;
const TAG = 16;
/** 64 MB of memory and a fifth of a second: what it costs to try a passphrase. */
const WORK = 16;
/** A file that demands more is refused: it would take gigabytes to find out that the passphrase is wrong. */
const MOST_WORK = 20;

export class WrongPassphraseError extends Error {
  override name = 'WrongPassphraseError';
  constructor() {
    super('The passphrase is wrong.');
  }
}

export class DamagedAgeError extends Error {
  override name = 'DamagedAgeError';
  constructor(why: string) {
    super(`What is sealed is damaged: ${why}.`);
  }
}

/** Seals without the passphrase: its key, and the head that lets the passphrase find that key. */
export interface Envelope {
  /** Secret. */
  fileKey: Buffer;
  /** The beginning of a sealed file. */
  head: string;
}

/** @param bytes random ones */
export async function envelopeFor(passphrase: string, bytes: (count: number) => Buffer): Promise<Envelope> {
  const fileKey = bytes(16);
  const salt = bytes(16);
  const wrapping = await wrappingKey(passphrase, salt, WORK);
  const body = encrypt(wrapping, Buffer.alloc(12), fileKey);
  const open = `${INTRO}-> scrypt ${encode(salt)} ${WORK}\n${encode(body)}\n---`;
  return { fileKey, head: `${open} ${encode(macOf(fileKey, open))}\n` };
}

export function seal({ fileKey, head }: Envelope, plain: Buffer, bytes: (count: number) => Buffer): Buffer {
  const nonce = bytes(16);
  const key = derived(fileKey, nonce, 'payload');
  const pieces: Buffer[] = [Buffer.from(head), nonce];
  // an empty text is one empty chunk; otherwise the last one is never empty
  const chunks = Math.max(1, Math.ceil(plain.length / CHUNK));
  for (let n = 0; n < chunks; n += 1)
    pieces.push(encrypt(key, chunkNonce(n, n === chunks - 1), plain.subarray(n * CHUNK, (n + 1) * CHUNK)));
  return Buffer.concat(pieces);
}

/** @throws {WrongPassphraseError} or {DamagedAgeError} */
export async function unseal(sealed: Buffer, passphrase: string): Promise<Buffer> {
  const { open, salt, work, body, mac, rest } = readHead(sealed);
  const fileKey = decrypt(await wrappingKey(passphrase, salt, work), Buffer.alloc(12), body);
  if (!fileKey) throw new WrongPassphraseError();
  if (!timingSafeEqual(macOf(fileKey, open), mac)) throw new DamagedAgeError('its head was changed');
  if (rest.length < 16 + TAG) throw new DamagedAgeError('it is cut off');
  const key = derived(fileKey, rest.subarray(0, 16), 'payload');
  const cipher = rest.subarray(16);
  const pieces: Buffer[] = [];
  const count = Math.ceil(cipher.length / (CHUNK + TAG));
  for (let n = 0; n < count; n += 1) {
    const chunk = cipher.subarray(n * (CHUNK + TAG), (n + 1) * (CHUNK + TAG));
    const plain = decrypt(key, chunkNonce(n, n === count - 1), chunk);
    if (!plain) throw new DamagedAgeError('it was changed or cut off');
    if (plain.length === 0 && n > 0) throw new DamagedAgeError('its last chunk is empty');
    pieces.push(plain);
  }
  return Buffer.concat(pieces);
}

const HEAD =
  /^(age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\n([A-Za-z0-9+/]{43})\n---) ([A-Za-z0-9+/]{43})\n/;

function readHead(sealed: Buffer) {
  // as bytes: what is no text has no head
  const found = HEAD.exec(sealed.subarray(0, 512).toString('latin1'));
  if (!found) throw new DamagedAgeError('it has no head of the age format for a passphrase');
  const [whole, open, salt, work, body, mac] = found as unknown as [string, string, string, string, string, string];
  if (Number(work) > MOST_WORK)
    throw new DamagedAgeError(`its work factor is ${work}, and more than ${MOST_WORK} is refused`);
  return {
    open,
    salt: decode(salt),
    work: Number(work),
    body: decode(body),
    mac: decode(mac),
    rest: sealed.subarray(whole.length),
  };
}

function wrappingKey(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const cost = { N: 2 ** work, r: 8, p: 1, maxmem: 2 ** work * 1024 + 1024 * 1024 };
  return new Promise((done, fail) => {
    scrypt(passphrase, Buffer.concat([Buffer.from(LABEL), salt]), 32, cost, (error, key) =>
      error ? fail(error) : done(key),
    );
  });
}

const derived = (fileKey: Buffer, salt: Buffer, use: 'header' | 'payload') =>
  Buffer.from(hkdfSync('sha256', fileKey, salt, use, 32));

const macOf = (fileKey: Buffer, open: string) =>
  createHmac('sha256', derived(fileKey, Buffer.alloc(0), 'header'))
    .update(open)
    .digest();

function chunkNonce(n: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(n, 7);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
}

function encrypt(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Null when it is not what this key has sealed. */
function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < TAG) return null;
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(-TAG));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()]);
  } catch {
    return null;
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Strict: of the texts that mean the same bytes, one alone is right. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (encode(bytes) !== text) throw new DamagedAgeError('its head is not written as it should be');
  return bytes;
}
