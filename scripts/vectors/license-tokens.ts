/** Validation tokens, good and bad, that every verifier has to judge alike. */
import { createHmac, type KeyObject, sign } from 'node:crypto';
import {
  type LicenseClaims,
  machineHash,
  signToken,
} from '../../packages/server/src/features/licensing/tokens/license-token.ts';
import { signUnlock, type UnlockClaims } from '../../packages/server/src/features/licensing/unlocks/unlock-token.ts';
import { current, jwks, retired, stranger } from './keys.ts';

const NOW = 1_773_144_000; // 2026-03-10T12:00:00Z
const DAY = 86_400;
const SKEW = 300;
const SLOW = 600;
const PRODUCT = '019cd0a0-0000-7000-8000-000000000001';
const OTHER_PRODUCT = '019cd0a0-0000-7000-8000-000000000002';
const SERIAL = '019cd0a0-0000-7000-8000-00000000000a';
const UNLOCK = '019cd0a0-0000-7000-8000-00000000000f';
const MACHINE = 'L896D48A88';
/** The last second of the year 9999. */
const ENDLESS = 253_402_300_799;

type Expected =
  | {
      valid: true;
      serial_id: string;
      product_id: string;
      expires_at: number;
      license_ends_at: number | null;
      trial: boolean;
      on_loss: string;
      for_good: boolean;
    }
  | { valid: false; reason: string };
interface Case {
  name: string;
  /** An unlock for good, or what is put forward as one: no validation token. */
  is_unlock?: true;
  token: string;
  now?: number;
  machine_id?: string;
  expected: Expected;
}

const claims: LicenseClaims = {
  iss: 'https://licenses.example.com',
  sub: SERIAL,
  aud: PRODUCT,
  mid: machineHash(MACHINE),
  iat: NOW - DAY,
  exp: NOW + 29 * DAY,
  lic: null,
};
const head = { alg: 'EdDSA', typ: 'JWT', kid: current.kid };

const encode = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const signed = (changes: Partial<Record<keyof LicenseClaims, unknown>> = {}, key = current) =>
  signToken({ ...claims, ...changes } as LicenseClaims, key);
/** Any header and claims with a valid signature by any key. */
const made = (header: unknown, body: unknown, signature: (text: string) => Buffer = ed25519(current.privateKey)) => {
  const text = `${encode(header)}.${encode(body)}`;
  return `${text}.${signature(text).toString('base64url')}`;
};
function ed25519(key: KeyObject) {
  return (text: string) => sign(null, Buffer.from(text), key);
}
const hmac = (text: string) => createHmac('sha256', Buffer.from(current.x, 'base64url')).update(text).digest();
// its content is never read
const noise = () => Buffer.alloc(256, 0x5a);
const nothing = () => Buffer.alloc(0);
const swapped = (token: string, part: number, by: string) => token.split('.').with(part, by).join('.');

/** The same bytes in a spelling of its own: the last character's spare bits are set. */
const respelled = (part: string) => {
  const spare = { 1: 0, 2: 15, 3: 3, 0: 0 }[part.length % 4] as number;
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return part.slice(0, -1) + alphabet[alphabet.indexOf(part.at(-1) as string) | spare];
};
/** Signed as it is spelled, so that only the spelling is wrong. */
const signedAsSpelled = (header: string, body: string) => {
  const text = `${header}.${body}`;
  return `${text}.${ed25519(current.privateKey)(text).toString('base64url')}`;
};
/** A part whose length leaves spare bits in base64url. */
const uneven = (part: object) => {
  const text = JSON.stringify(part);
  return encode(text.length % 3 === 0 ? `${text} ` : text);
};

const good = signed();
const yes = (changes: Partial<Extract<Expected, { valid: true }>> = {}): Expected => ({
  valid: true,
  serial_id: SERIAL,
  product_id: PRODUCT,
  expires_at: claims.exp,
  license_ends_at: null,
  trial: false,
  on_loss: 'finish',
  for_good: false,
  ...changes,
});
const no = (reason: string): Expected => ({ valid: false, reason });
const end = NOW + 10 * DAY;

const unlock: UnlockClaims = { iss: claims.iss, sub: UNLOCK, aud: PRODUCT, iat: NOW - DAY, unlock: true };
const unlocked = signUnlock(unlock, current);
const unlockHead = { ...head, typ: 'unlock+jwt' };
const forGood = yes({ serial_id: '', expires_at: ENDLESS, for_good: true });
const unlocks: Case[] = [
  { name: 'an unlock for good as the server makes it', token: unlocked, expected: forGood },
  { name: 'an unlock for good of a retired key', token: signUnlock(unlock, retired), expected: forGood },
  { name: 'an unlock for good on any machine', token: unlocked, machine_id: 'L000000000', expected: forGood },
  { name: 'an unlock for good on a clock of 1970', token: unlocked, now: 0, expected: forGood },
  { name: 'an unlock for good in a thousand years', token: unlocked, now: NOW + 365_000 * DAY, expected: forGood },
  {
    name: 'an unlock for good of somebody else’s key',
    token: signUnlock(unlock, stranger),
    expected: no('unknown_key'),
  },
  {
    name: 'an unlock for good of somebody else’s key under our id',
    token: made(unlockHead, unlock, ed25519(stranger.privateKey)),
    expected: no('signature'),
  },
  {
    name: 'an unlock for good whose product was changed',
    token: swapped(signUnlock({ ...unlock, aud: OTHER_PRODUCT }, current), 1, encode(unlock)),
    expected: no('signature'),
  },
  {
    name: 'an unlock for good of another product',
    token: signUnlock({ ...unlock, aud: OTHER_PRODUCT }, current),
    expected: no('wrong_product'),
  },
  { name: 'an unlock for good of a license’s type', token: made(head, unlock), expected: no('malformed') },
  {
    name: 'an unlock for good of an update’s type',
    token: made({ ...head, typ: 'tonerow-update+jwt' }, unlock),
    expected: no('malformed'),
  },
  { name: 'a license of an unlock’s type', token: made(unlockHead, claims), expected: no('malformed') },
  {
    name: 'an unlock for good that is not true',
    token: made(unlockHead, { ...unlock, unlock: 'true' }),
    expected: no('malformed'),
  },
  {
    name: 'an unlock for good without a signature',
    token: made({ ...unlockHead, alg: 'none' }, unlock, nothing),
    expected: no('algorithm'),
  },
];
const unlockCases = unlocks.map((each) => ({ ...each, is_unlock: true as const }));

const cases: Case[] = [
  { name: 'a token as the server makes it', token: good, expected: yes() },
  { name: 'signed with a retired key', token: signed({}, retired), expected: yes() },
  {
    name: 'a trial',
    token: signed({ exp: end, lic: end, trial: true }),
    expected: yes({ expires_at: end, license_ends_at: end, trial: true }),
  },
  { name: 'muted when it is lost', token: signed({ loss: 'mute' }), expected: yes({ on_loss: 'mute' }) },
  { name: 'bypassed when it is lost', token: signed({ loss: 'bypass' }), expected: yes({ on_loss: 'bypass' }) },
  { name: 'a loss that is not known yet', token: signed({ loss: 'fade' }), expected: yes() },
  { name: 'claims that are not known yet', token: made(head, { ...claims, plan: 'pro', seats: 3 }), expected: yes() },
  {
    name: 'a machine id beyond ASCII',
    token: signed({ mid: machineHash('Größe-Ω-音') }),
    machine_id: 'Größe-Ω-音',
    expected: yes(),
  },
  { name: 'a second before its end with skew', token: good, now: claims.exp + SKEW - 1, expected: yes() },
  { name: 'a clock that is ten minutes slow', token: good, now: claims.iat - SLOW, expected: yes() },

  { name: 'the empty text', token: '', expected: no('malformed') },
  { name: 'one part', token: 'rubbish', expected: no('malformed') },
  { name: 'three parts of rubbish', token: 'a.b.c', expected: no('malformed') },
  { name: 'two parts', token: good.split('.').slice(0, 2).join('.'), expected: no('signature') },
  { name: 'four parts', token: `${good}.AAAA`, expected: no('malformed') },
  { name: 'a header that is no JSON', token: made('{"alg":"EdDSA"', claims), expected: no('malformed') },
  { name: 'a header that is a list', token: made(['EdDSA'], claims), expected: no('malformed') },
  { name: 'a header with padding', token: swapped(good, 0, `${good.split('.')[0]}=`), expected: no('malformed') },
  {
    name: 'a header with spare bits',
    token: signedAsSpelled(respelled(uneven(head)), encode(claims)),
    expected: no('malformed'),
  },
  {
    name: 'signed claims with spare bits',
    token: signedAsSpelled(encode(head), respelled(uneven(claims))),
    expected: no('malformed'),
  },
  {
    name: 'signed claims with white space between their characters',
    token: signedAsSpelled(encode(head), encode(claims).replace(/^.{8}/, '$& ')),
    expected: no('malformed'),
  },
  {
    name: 'signed claims in plain base64',
    token: signedAsSpelled(
      encode(head),
      `${encode({ ...claims, plan: '???>>>' })
        .replaceAll('-', '+')
        .replaceAll('_', '/')}`,
    ),
    expected: no('malformed'),
  },
  { name: 'signed claims that are a list', token: made(head, [claims]), expected: no('malformed') },
  {
    name: 'an extension that has to be understood',
    token: made({ ...head, crit: ['b64'], b64: false }, claims),
    expected: no('malformed'),
  },
  { name: 'signed claims that are no JSON', token: made(head, 'claims'), expected: no('malformed') },
  { name: 'a signed claim of the wrong type', token: signed({ exp: '9999999999' }), expected: no('malformed') },
  { name: 'a signed time with a fraction', token: signed({ exp: claims.exp + 0.5 }), expected: no('malformed') },
  { name: 'no audience', token: signed({ aud: undefined }), expected: no('malformed') },

  {
    name: 'alg none without a signature',
    token: made({ ...head, alg: 'none' }, claims, nothing),
    expected: no('algorithm'),
  },
  { name: 'alg none with a good signature', token: made({ ...head, alg: 'none' }, claims), expected: no('algorithm') },
  {
    name: 'HS256 with the public key as its secret',
    token: made({ ...head, alg: 'HS256' }, claims, hmac),
    expected: no('algorithm'),
  },
  { name: 'RS256', token: made({ ...head, alg: 'RS256' }, claims, noise), expected: no('algorithm') },
  { name: 'eddsa in lower case', token: made({ ...head, alg: 'eddsa' }, claims), expected: no('algorithm') },
  { name: 'no algorithm', token: made({ kid: current.kid }, claims), expected: no('algorithm') },

  { name: 'a key of somebody else', token: signed({}, stranger), expected: no('unknown_key') },
  { name: 'no key id', token: made({ alg: 'EdDSA' }, claims), expected: no('unknown_key') },

  {
    name: 'somebody else’s key under our id',
    token: made(head, claims, ed25519(stranger.privateKey)),
    expected: no('signature'),
  },
  { name: 'a signature of zeros', token: swapped(good, 2, 'A'.repeat(86)), expected: no('signature') },
  { name: 'a short signature', token: good.slice(0, -4), expected: no('signature') },
  {
    name: 'a signature that is no base64url',
    token: swapped(good, 2, `${good.split('.')[2]?.slice(0, -1)}+`),
    expected: no('signature'),
  },
  {
    name: 'a signature with spare bits',
    token: swapped(good, 2, respelled(good.split('.')[2] as string)),
    expected: no('signature'),
  },
  { name: 'a signature with padding', token: `${good}==`, expected: no('signature') },
  {
    name: 'changed claims',
    token: swapped(good, 1, encode({ ...claims, exp: NOW + 999 * DAY })),
    expected: no('signature'),
  },
  {
    name: 'the signature of another token',
    token: swapped(good, 2, signed({ exp: NOW + DAY }).split('.')[2] as string),
    expected: no('signature'),
  },

  { name: 'another product', token: signed({ aud: OTHER_PRODUCT }), expected: no('wrong_product') },
  { name: 'another machine', token: signed({ mid: machineHash('L000000000') }), expected: no('wrong_machine') },
  { name: 'asked on another machine', token: good, machine_id: 'l896d48a88', expected: no('wrong_machine') },
  { name: 'at its end with skew', token: good, now: claims.exp + SKEW, expected: no('expired') },
  { name: 'long after its end', token: good, now: claims.exp + 365 * DAY, expected: no('expired') },
  { name: 'of a licence that has ended', token: signed({ lic: NOW - DAY }), expected: no('expired') },
  { name: 'before its time', token: good, now: claims.iat - SLOW - 1, expected: no('not_yet_valid') },
  {
    name: 'made in the far future',
    token: signed({ iat: NOW + 365 * DAY, exp: NOW + 395 * DAY }),
    expected: no('not_yet_valid'),
  },
  ...unlockCases,
];

export const licenseTokens = {
  about: 'Made by scripts/vectors.ts. The keys are for tests only. Times are seconds since 1970.',
  now: NOW,
  clock_skew_seconds: SKEW,
  slow_clock_seconds: SLOW,
  product_id: PRODUCT,
  machine_id: MACHINE,
  jwks,
  cases,
};
