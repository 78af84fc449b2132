import { type LicenseKeys, sha256, signatureProblem } from './signatures.ts';

export interface SignedAnswer {
  /** A `Headers`, or an object of them as Node's `http` makes it. Names in any case. */
  headers: { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Exactly what came, before anything parsed it. */
  body: string | ArrayBuffer | Uint8Array;
}

export interface AnswerExpectation {
  /** Of the call, in capitals: `POST`. */
  method: string;
  /** Of the call, as the server got it and without its query: `/api/license/v1/validate`. */
  path: string;
  /** What was sent as `X-Tonerow-Nonce`, another one for each call; empty when only `X-Tonerow-Sign: 1` was sent. */
  nonce: string;
  /** The time, if not this machine's. */
  now?: Date;
}

export type AnswerProblem =
  | 'unsigned'
  | 'malformed'
  | 'unknown_key'
  | 'signature'
  | 'wrong_nonce'
  | 'too_old'
  | 'too_new';

export type AnswerVerdict =
  | { valid: true; keyId: string; signedAt: Date }
  /** `too_old` and `too_new` come last: all but the date was right then. */
  | { valid: false; reason: AnswerProblem };

/** How far an answer's date may be from ours. */
const TOLERANCE_SECONDS = 300;

/**
 * Tells an answer of the licensing API, yes or no, from one of a spoofed server, with nothing but the developer's public
 * keys. Runs where `verifyLicense` does; carry the keys in the app, as for that.
 *
 * A server signs for those who send `X-Tonerow-Nonce` (8 to 128 of `A-Z a-z 0-9 _ -`), and sends along
 *
 *     X-Tonerow-Date: 1774267200                                 (seconds since 1970)
 *     X-Tonerow-Nonce: the nonce that was sent
 *     X-Tonerow-Signature: ed25519=<base64>; kid=<key id>
 *
 * The signature is over five lines, joined by line feeds, with none at the end: method, path, the body's SHA-256 in
 * lower-case hexadecimal, date, nonce. `answer-signature.ts` of the server makes it, "Signed answers" in
 * `examples/README.md` describes it, and `test/vectors/license-answers.json` has cases for verifiers of your own.
 *
 * The HTTP status is not signed: decide by the body. Refusals for a rate (429) or for an unknown plugin key (401) are
 * never signed, so what is `unsigned` should be taken for no answer at all: it unlocks nothing, and locks nobody.
 * @example
 * const path = '/api/license/v1/validate';
 * const nonce = crypto.randomUUID();
 * const headers = { authorization: `Bearer ${pluginKey}`, 'content-type': 'application/json', 'x-tonerow-nonce': nonce };
 * const response = await fetch(server + path, { method: 'POST', headers, body: JSON.stringify(question) });
 * const answer = { headers: response.headers, body: await response.text() };
 * const verdict = await verifyAnswer(answer, jwks, { method: 'POST', path, nonce });
 * if (verdict.valid) console.log('the server says', JSON.parse(answer.body).status);
 * else console.log('nobody answered:', verdict.reason);
 */
export async function verifyAnswer(
  { headers, body }: SignedAnswer,
  jwks: LicenseKeys,
  { method, path, nonce, now = new Date() }: AnswerExpectation,
): Promise<AnswerVerdict> {
  const header = headerOf(headers, 'x-tonerow-signature');
  if (!header) return no('unsigned');
  const [, signature, keyId] = /^ed25519=([A-Za-z0-9+/]{86}==); kid=([A-Za-z0-9_-]+)$/.exec(header) ?? [];
  const date = headerOf(headers, 'x-tonerow-date');
  const signedNonce = headerOf(headers, 'x-tonerow-nonce');
  if (!signature || !keyId || !/^\d{1,15}$/.test(date) || !/^[A-Za-z0-9_-]*$/.test(signedNonce)) return no('malformed');

  // with the nonce that it names, so that an answer to somebody else is told from a forged one
  const text = [method, path, await sha256(body), date, signedNonce].join('\n');
  const base64url = signature.slice(0, 86).replaceAll('+', '-').replaceAll('/', '_');
  const problem = await signatureProblem(jwks, keyId, base64url, text);
  if (problem) return no(problem);
  if (signedNonce !== nonce) return no('wrong_nonce');
  const age = now.getTime() / 1000 - Number(date);
  if (!(age <= TOLERANCE_SECONDS)) return no('too_old');
  if (!(age >= -TOLERANCE_SECONDS)) return no('too_new');
  return { valid: true, keyId, signedAt: new Date(Number(date) * 1000) };
}

function no(reason: AnswerProblem): AnswerVerdict {
  return { valid: false, reason };
}

/** A header's value, empty when it is missing. */
function headerOf(headers: SignedAnswer['headers'], name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  // of several none is meant
  return typeof found === 'string' ? found : (found?.join(', ') ?? '');
}
