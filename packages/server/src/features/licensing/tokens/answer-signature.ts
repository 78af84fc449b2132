import { hash, type KeyObject, sign } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A developer's key, and the time. */
export interface Signer {
  kid: string;
  privateKey: KeyObject;
  now: Date;
}

/** The parts of the request that a signature covers, besides the date and the body. */
interface Asked {
  method: string;
  path: string;
  nonce: string;
}

const NONCE = /^[A-Za-z0-9_-]{8,128}$/;

/** The exact text that an answer's signature is over. */
export function signedText({ method, path, date, nonce }: Asked & { date: string }, body: string | Buffer): string {
  return `${method}\n${path}\n${hash('sha256', body, 'hex')}\n${date}\n${nonce}`;
}

/**
 * Responses that a plugin can distinguish from a spoofed server's, refusals included: on v1 and on the JUCE and HISE
 * routes, whether the body is JSON, XML or a key file. A request with `X-Tonerow-Nonce` (8 to 128 of `A-Z a-z 0-9 _ -`)
 * or `X-Tonerow-Sign: 1` gets
 *
 *     X-Tonerow-Date: 1774267200
 *     X-Tonerow-Nonce: the nonce that was sent
 *     X-Tonerow-Signature: ed25519=<base64>; kid=<key id>
 *     X-Tonerow-Signed: date=1774267200; ed25519=<base64>; kid=<key id>
 *
 * The signature is Ed25519 with the developer's key `kid` of `/api/license/v1/jwks` over five lines, joined by line
 * feeds, without a trailing one: the method, the requested path without its query, the SHA-256 of the response body in
 * lower-case hexadecimal, the date, and the nonce (empty when none was sent). A plugin rejects a response that is
 * unsigned, signed for another nonce, or signed more than five minutes away from its own clock.
 *
 * The plugin key identifies the developer: in a header or, on the legacy routes, in the query. Only responses to
 * unknown callers are unsigned: those without a valid plugin key, and those beyond the rate limit, which are refused
 * before any lookup. The JWKS is public and authoritative already.
 *
 * `X-Tonerow-Signed` repeats the date and the signature in one header: JUCE 7 on Linux loses the first header of a
 * response, and a proxy may put any of these headers first.
 *
 * `examples/README.md` documents this for plugin makers, the SDK's `verifyAnswer` and `TonerowToken` verify it, and
 * `test/vectors/license-answers.json` keeps all of them consistent.
 */
export function signatureHeaders(asked: Asked, body: string | Buffer, signer: Signer): Record<string, string> {
  const date = String(Math.floor(signer.now.getTime() / 1000));
  const text = signedText({ ...asked, date }, body);
  const signature = `ed25519=${sign(null, Buffer.from(text), signer.privateKey).toString('base64')}; kid=${signer.kid}`;
  return {
    'x-tonerow-date': date,
    'x-tonerow-signature': signature,
    'x-tonerow-signed': `date=${date}; ${signature}`,
    ...(asked.nonce === '' ? {} : { 'x-tonerow-nonce': asked.nonce }),
  };
}

/** The requested nonce, or an empty string to sign just the date; null when no signature is requested. */
export function wantedNonce(headers: IncomingHttpHeaders): string | null {
  const { 'x-tonerow-nonce': sent, 'x-tonerow-sign': flag } = headers;
  if (typeof sent === 'string' && NONCE.test(sent)) return sent;
  return flag === '1' ? '' : null;
}
