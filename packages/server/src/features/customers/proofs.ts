import { type Clock, DAY } from '#platform/clock.ts';
import { TokenMint } from '#platform/secrets/jwt.ts';
import { type Secrets, sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';

const LIFETIME = 30 * DAY;

/** The customer who was emailed a link. */
export interface Emailed {
  dev: string;
  customer: string;
  /** A mark of the address, so that a link to their earlier address proves nothing. */
  to: string;
}

interface Claims {
  /** The ids of serials, by developer. */
  serials: Record<string, string[]>;
  /** Set in a token that only an email has had. The name stays, because emails that were sent have it. */
  mailed?: Emailed;
}

/** Download tokens: which serials their holder has proven to own. The page stores one, and emails carry one. */
export class DownloadProofs {
  readonly #mint: TokenMint<Claims>;

  constructor({ secrets, clock }: { secrets: Secrets; clock: Clock }) {
    this.#mint = new TokenMint(secrets, 'download', clock);
  }

  /** Signs a token for a customer who has just shown a code. */
  sign(serials: Claims['serials']): string {
    return this.#mint.sign({ serials }, LIFETIME);
  }

  /** Signs a token for an email, never for an answer: its holder reads the email of that address. */
  signEmailed(developerId: string, serialIds: string[], to: { customerId: string; email: string }): string {
    const emailed = { dev: developerId, customer: to.customerId, to: addressMark(to.email) };
    return this.#mint.sign({ serials: { [developerId]: serialIds }, mailed: emailed }, LIFETIME);
  }

  /** The serials of a token, with the moment of the proof; null when the token is not ours or has expired. */
  serialsOf(token: string): { serials: Claims['serials']; emailed?: Emailed; at: Date } | null {
    const claims = this.#mint.verify(token);
    if (!claims) return null;
    const { serials, mailed: emailed, iat } = claims;
    return { serials, at: new Date(iat * 1000), ...(emailed ? { emailed } : {}) };
  }
}

/** A mark that links have in place of an address: enough to see whether it is still the same. */
export function addressMark(email: string): string {
  return sha256(emailKey(email)).toString('base64url').slice(0, 22);
}
