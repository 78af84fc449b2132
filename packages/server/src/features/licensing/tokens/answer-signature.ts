import { hash, type KeyObject, sign } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A developer's key, and the time. */
export interface Signer {
  kid: string;
  privateKey: KeyObject;
  now: Date;
}

/** What a signature is over, beside the date and the body. */
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
 * Answers that a plugin can tell from those of a spoofed server, refusals too: of v1 and of the routes of JUCE and HISE,
 * whether the body is JSON, XML or a key file. Who sends `X-Tonerow-Nonce` (8 to 128 of `A-Z a-z 0-9 _ -`) or
 * `X-Tonerow-Sign: 1` is answered with
 *
 *     X-Tonerow-Date: 1774267200
 *     X-Tonerow-Nonce: the nonce that was sent
 *     X-Tonerow-Signature: ed25519=<base64>; kid=<key id>
 *
 * The signature is Ed25519 with the developer's key `kid` of `/api/license/v1/jwks` over five lines, joined by line
 * feeds, with none at the end: the method, the path as it was asked without its query, the SHA-256 of the answer's body
 * in lower-case hexadecimal, the date, and the nonce, which is empty when none was sent. A plugin refuses what is not
 * signed, is signed for another nonce, or was signed more than five minutes away from its own clock.
 *
 * The developer is known by the plugin key, in a header, or where the legacy routes take it from the query, there.
 * Unsigned are only answers to nobody: without a plugin key or with an unknown one, and beyond the rate limit, where a
 * call is refused before anybody is looked up. The JWKS is the developer's own word already, and is public.
 *
 * `examples/README.md` tells plugin makers, `verifyAnswer` of the SDK and of `TonerowToken` check it, and
 * `test/vectors/license-answers.json` holds all of them to it.
 */
export function signatureHeaders(asked: Asked, body: string | Buffer, signer: Signer): Record<string, string> {
  const date = String(Math.floor(signer.now.getTime() / 1000));
  const text = signedText({ ...asked, date }, body);
  const signature = sign(null, Buffer.from(text), signer.privateKey).toString('base64');
  return {
    'x-tonerow-date': date,
    'x-tonerow-signature': `ed25519=${signature}; kid=${signer.kid}`,
    ...(asked.nonce === '' ? {} : { 'x-tonerow-nonce': asked.nonce }),
  };
}

/** What is asked for: the nonce, empty where only the date should be signed; null when no signature is. */
export function wantedNonce(headers: IncomingHttpHeaders): string | null {
  const { 'x-tonerow-nonce': sent, 'x-tonerow-sign': flag } = headers;
  if (typeof sent === 'string' && NONCE.test(sent)) return sent;
  return flag === '1' ? '' : null;
}
