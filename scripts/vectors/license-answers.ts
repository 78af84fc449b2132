/** Signed answers of the licensing API, good and bad, that every verifier has to judge alike. */
import { signatureHeaders } from '../../packages/server/src/features/licensing/tokens/answer-signature.ts';
import { current, jwks, retired, stranger } from './keys.ts';

const NOW = 1_773_144_000; // 2026-03-10T12:00:00Z
const TOLERANCE = 300;
const METHOD = 'POST';
const PATH = '/api/license/v1/validate';
const NONCE = '0f8c2b5e9a7d4c31b6e0f2a4c8d1e357';

type Expected = { valid: true; key_id: string; signed_at: number } | { valid: false; reason: string };
interface Case {
  name: string;
  headers: Record<string, string>;
  /** As UTF-8; a body that isn't text is in `body_hex`. */
  body?: string;
  body_hex?: string;
  now?: number;
  method?: string;
  path?: string;
  nonce?: string;
  expected: Expected;
}

const BODY = '{"ok":true,"status":"active","max_activations":3,"remaining":2}';
const REFUSAL = '{"ok":false,"status":"revoked","error":"This license has been revoked."}';

/** The server's headers for a body, for a request with this nonce at this time. */
const signed = (
  body: string | Buffer = BODY,
  changes: { [K in keyof typeof asked]?: string } = {},
  at = NOW,
  key = current,
) => signatureHeaders({ ...asked, ...changes }, body, { ...key, now: new Date(at * 1000) });
const asked = { method: METHOD, path: PATH, nonce: NONCE };
const good = signed();
const signature = good['x-tonerow-signature'] as string;
const bare = signature.slice('ed25519='.length, signature.indexOf(';'));
const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));
const withSignature = (text: string) => ({ ...good, 'x-tonerow-signature': text });

const yes = (signedAt = NOW, keyId = current.kid): Expected => ({ valid: true, key_id: keyId, signed_at: signedAt });
const no = (reason: string): Expected => ({ valid: false, reason });

const bytes = Buffer.from('00ff0a0dfec3280a', 'hex');
const xml =
  '<?xml version="1.0" encoding="UTF-8"?>\n<MESSAGE message="Größe &amp; Ω">\n\t<KEY>#0a1b</KEY>\n</MESSAGE>\n';
const JUCE = '/api/license/juce/unlock';

const cases: Case[] = [
  { name: 'a yes as the server signs it', headers: good, body: BODY, expected: yes() },
  { name: 'a refusal', headers: signed(REFUSAL), body: REFUSAL, expected: yes() },
  {
    name: 'signed with a retired key',
    headers: signed(BODY, {}, NOW, retired),
    body: BODY,
    expected: yes(NOW, retired.kid),
  },
  {
    name: 'XML beyond ASCII, asked by GET',
    headers: signed(xml, { method: 'GET', path: JUCE }),
    body: xml,
    method: 'GET',
    path: JUCE,
    expected: yes(),
  },
  { name: 'a body that is no text', headers: signed(bytes), body_hex: bytes.toString('hex'), expected: yes() },
  { name: 'an empty body', headers: signed(''), body: '', expected: yes() },
  { name: 'asked without a nonce', headers: signed(BODY, { nonce: '' }), body: BODY, nonce: '', expected: yes() },
  {
    name: 'the shortest nonce',
    headers: signed(BODY, { nonce: 'aZ09_-aZ' }),
    body: BODY,
    nonce: 'aZ09_-aZ',
    expected: yes(),
  },
  {
    name: 'a clock that is ahead by all that it may',
    headers: good,
    body: BODY,
    now: NOW + TOLERANCE,
    expected: yes(),
  },
  {
    name: 'a clock that is behind by all that it may',
    headers: good,
    body: BODY,
    now: NOW - TOLERANCE,
    expected: yes(),
  },

  { name: 'no headers', headers: {}, body: BODY, expected: no('unsigned') },
  {
    name: 'a date and a nonce, but no signature',
    headers: without('x-tonerow-signature'),
    body: BODY,
    expected: no('unsigned'),
  },
  { name: 'an empty signature', headers: withSignature(''), body: BODY, expected: no('unsigned') },

  { name: 'a signature that is none', headers: withSignature('yes'), body: BODY, expected: no('malformed') },
  {
    name: 'a signature of another algorithm',
    headers: withSignature(signature.replace('ed25519=', 'rsa=')),
    body: BODY,
    expected: no('malformed'),
  },
  { name: 'no key id', headers: withSignature(`ed25519=${bare}`), body: BODY, expected: no('malformed') },
  {
    name: 'a short signature',
    headers: withSignature(`ed25519=${bare.slice(4)}; kid=${current.kid}`),
    body: BODY,
    expected: no('malformed'),
  },
  {
    name: 'a signature without padding',
    headers: withSignature(`ed25519=${bare.slice(0, 86)}; kid=${current.kid}`),
    body: BODY,
    expected: no('malformed'),
  },
  {
    name: 'a signature that is no base64',
    headers: withSignature(`ed25519=-${bare.slice(1)}; kid=${current.kid}`),
    body: BODY,
    expected: no('malformed'),
  },
  {
    name: 'two signatures',
    headers: withSignature(`${signature}, ${signature}`),
    body: BODY,
    expected: no('malformed'),
  },
  { name: 'no date', headers: without('x-tonerow-date'), body: BODY, expected: no('malformed') },
  {
    name: 'a date with a fraction',
    headers: { ...good, 'x-tonerow-date': `${NOW}.5` },
    body: BODY,
    expected: no('malformed'),
  },
  {
    name: 'a date in words',
    headers: { ...good, 'x-tonerow-date': 'Tue, 10 Mar 2026 12:00:00 GMT' },
    body: BODY,
    expected: no('malformed'),
  },
  {
    name: 'a nonce of other characters',
    headers: { ...good, 'x-tonerow-nonce': 'nonce with spaces' },
    body: BODY,
    expected: no('malformed'),
  },

  {
    name: 'a key of somebody else',
    headers: signed(BODY, {}, NOW, stranger),
    body: BODY,
    expected: no('unknown_key'),
  },

  {
    name: 'somebody else’s key under our id',
    headers: signed(BODY, {}, NOW, { ...stranger, kid: current.kid }),
    body: BODY,
    expected: no('signature'),
  },
  {
    name: 'a signature of zeros',
    headers: withSignature(`ed25519=${'A'.repeat(86)}==; kid=${current.kid}`),
    body: BODY,
    expected: no('signature'),
  },
  { name: 'a yes with a refusal’s signature', headers: signed(REFUSAL), body: BODY, expected: no('signature') },
  { name: 'a body with a line feed more', headers: good, body: `${BODY}\n`, expected: no('signature') },
  { name: 'a body that is gone', headers: good, body: '', expected: no('signature') },
  { name: 'another method', headers: signed(BODY, { method: 'GET' }), body: BODY, expected: no('signature') },
  {
    name: 'another path',
    headers: signed(BODY, { path: '/api/license/v1/activate' }),
    body: BODY,
    expected: no('signature'),
  },
  {
    name: 'a path with its query',
    headers: good,
    body: BODY,
    path: `${PATH}?product_id=1`,
    expected: no('signature'),
  },
  {
    name: 'a changed date',
    headers: { ...good, 'x-tonerow-date': String(NOW + 1) },
    body: BODY,
    expected: no('signature'),
  },
  {
    name: 'the nonce of the question put on another answer',
    headers: { ...signed(BODY, { nonce: 'of-somebody-else' }), 'x-tonerow-nonce': NONCE },
    body: BODY,
    expected: no('signature'),
  },
  { name: 'a nonce taken off', headers: without('x-tonerow-nonce'), body: BODY, expected: no('signature') },

  {
    name: 'an answer to somebody else',
    headers: signed(BODY, { nonce: 'of-somebody-else' }),
    body: BODY,
    expected: no('wrong_nonce'),
  },
  {
    name: 'an answer to a question without a nonce',
    headers: signed(BODY, { nonce: '' }),
    body: BODY,
    expected: no('wrong_nonce'),
  },
  {
    name: 'an old answer to another question',
    headers: signed(BODY, { nonce: 'of-yesterday' }, NOW - 86_400),
    body: BODY,
    expected: no('wrong_nonce'),
  },

  {
    name: 'a second too old',
    headers: good,
    body: BODY,
    now: NOW + TOLERANCE + 1,
    expected: no('too_old'),
  },
  {
    name: 'of 1970',
    headers: signed(BODY, {}, 0),
    body: BODY,
    expected: no('too_old'),
  },
  {
    name: 'a second too new',
    headers: good,
    body: BODY,
    now: NOW - TOLERANCE - 1,
    expected: no('too_new'),
  },
];

export const licenseAnswers = {
  about:
    'Made by scripts/vectors.ts. The keys are for tests only. Times are seconds since 1970. A case is asked with the method, path, nonce and time of the top unless it has its own.',
  now: NOW,
  tolerance_seconds: TOLERANCE,
  method: METHOD,
  path: PATH,
  nonce: NONCE,
  jwks,
  cases,
};
