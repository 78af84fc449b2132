import { type LicenseKeys, sha256, signatureProblem } from './signatures.ts';

export interface SignedAnswer {
  /** A `Headers`, or an object as in Node's `http`. Names in any case. */
  headers: { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact body, before parsing. */
  body: string | ArrayBuffer | Uint8Array;
}

export interface AnswerExpectation {
  /** The call's method, in capitals: `POST`. */
  method: string;
  /** The call's path as the server got it, without its query: `/api/license/v1/validate`. */
  path: string;
  /** The value sent as `X-Tonerow-Nonce`, unique to the call; empty when only `X-Tonerow-Sign: 1` was sent. */
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
  /** `too_old` and `too_new` come last: everything but the date was right. */
  | { valid: false; reason: AnswerProblem };

/** The tolerance for a response's date. */
const TOLERANCE_SECONDS = 300;

/**
 * Distinguishes a response of the licensing API, yes or no, from that of a spoofed server, using only the developer's public
 * keys. Runs where `verifyLicense` does; embed the keys in the app, too.
 *
 * The server signs when a request has `X-Tonerow-Nonce` (8 to 128 of `A-Z a-z 0-9 _ -`), and sends
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
 * never signed, so treat `unsigned` as no response at all: it neither unlocks nor locks anything.
 * @example
 * const path = '/api/license/v1/validate';
 * const nonce = crypto.randomUUID();
 * const headers = { authorization: `Bearer ${pluginKey}`, 'content-type': 'application/json', 'x-tonerow-nonce': nonce };
 * const response = await fetch(server + path, { method: 'POST', headers, body: JSON.stringify(question) });
 * const answer = { headers: response.headers, body: await response.text() };
 * const verdict = await verifyAnswer(answer, jwks, { method: 'POST', path, nonce });
 * if (verdict.valid) console.log('signed status:', JSON.parse(answer.body).status);
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

  // with the nonce that it names, to distinguish a response to another request from a forged one
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
  // a repeated header is ambiguous
  return typeof found === 'string' ? found : (found?.join(', ') ?? '');
}
