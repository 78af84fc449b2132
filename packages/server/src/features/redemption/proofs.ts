import { type Clock, DAY } from '../../platform/clock.ts';
import { TokenMint } from '../../platform/jwt.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Proven } from './redemption.queries.ts';

const LIFETIME = 30 * DAY;

/** Download tokens: which serials their holder has proven to own. The page stores one, and emails carry one. */
export class DownloadProofs {
  readonly #mint: TokenMint<{ serials: Proven }>;

  constructor({ secrets, clock }: { secrets: Secrets; clock: Clock }) {
    this.#mint = new TokenMint(secrets, 'download', clock);
  }

  sign(serials: Proven): string {
    return this.#mint.sign({ serials }, LIFETIME);
  }

  /** With the moment of the proof; null when the token is not ours or its time is over. */
  serialsOf(token: string): { serials: Proven; at: Date } | null {
    const claims = this.#mint.verify(token);
    return claims && { serials: claims.serials, at: new Date(claims.iat * 1000) };
  }
}
