import { createSigner, createVerifier } from 'fast-jwt';
import type { Clock } from '../clock.ts';
import type { Secrets } from './secrets.ts';

/** Tokens in links, which only this server reads (those of sessions are `session-tokens.ts`): HS256, one purpose each, so that one kind can never pass for another. */
export class TokenMint<Claims extends object> {
  readonly #sign: (claims: object) => string;
  readonly #verifiers: ((token: string) => Claims)[];
  readonly #clock: Clock;

  constructor(secrets: Secrets, purpose: string, clock: Clock) {
    const keys = secrets.keys(`jwt:${purpose}`);
    this.#sign = createSigner({ algorithm: 'HS256', key: keys[0] as Buffer });
    this.#verifiers = keys.map((key) => createVerifier({ algorithms: ['HS256'], key, ignoreExpiration: true }));
    this.#clock = clock;
  }

  /** @param lifetime milliseconds. */
  sign(claims: Claims, lifetime: number): string {
    const iat = Math.floor(this.#clock.now().getTime() / 1000);
    return this.#sign({ ...claims, iat, exp: iat + Math.floor(lifetime / 1000) });
  }

  /** The claims, with `iat` in seconds, or null when the token is not ours or its time is over. */
  verify(token: string): (Claims & { iat: number }) | null {
    const claims = this.read(token);
    const now = this.#clock.now().getTime() / 1000;
    return typeof claims?.exp === 'number' && claims.exp > now ? claims : null;
  }

  /** The claims of one of our tokens, even if it has expired: it proves nothing then, but shows what it was for. */
  read(token: string): (Claims & { iat: number; exp?: number }) | null {
    for (const verifier of this.#verifiers) {
      try {
        return verifier(token) as Claims & { iat: number; exp?: number };
      } catch {
        // another secret may fit
      }
    }
    return null;
  }
}
