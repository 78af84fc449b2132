import { type Clock, DAY } from '../../platform/clock.ts';
import { sameBytes, sha256 } from '../../platform/secrets.ts';
import { LicenseRefusal } from './license-status.ts';
import { isInTime, type LicenseClaims, machineHash, readToken, signToken, verifyToken } from './license-token.ts';
import type { SigningKeys } from './signing-keys.ts';

interface Dependencies {
  clock: Clock;
  keys: SigningKeys;
  publicUrl: string;
}

/** What a token is about. */
export interface Subject {
  developerId: string;
  /** The serial, or the trial. */
  id: string;
  productId: string;
  machineId: string;
}

/** Writes validation tokens and reads them back. */
export class TokenIssuer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @param trialEnd for a trial, whose tokens end with it. */
  async issue(subject: Subject, offlineDays: number, trialEnd?: Date): Promise<string> {
    const { clock, keys, publicUrl } = this.#deps;
    const ring = await keys.ring(subject.developerId);
    const iat = Math.floor(clock.now().getTime() / 1000);
    const offline = iat + (offlineDays * DAY) / 1000;
    const end = trialEnd && Math.floor(trialEnd.getTime() / 1000);
    return signToken(
      {
        iss: publicUrl,
        sub: subject.id,
        aud: subject.productId,
        mid: machineHash(subject.machineId),
        iat,
        exp: end === undefined ? offline : Math.min(offline, end),
        // serials have no end of their own after redemption
        lic: end ?? null,
        ...(end === undefined ? {} : { trial: true }),
      },
      ring.current,
    );
  }

  /**
   * What a token says, once it is known to be ours, in time, and about this licence on this machine.
   * @param newest the hashes of the newest tokens that were issued for it: these need no look at their signature.
   * @throws {LicenseRefusal} invalid_token
   */
  async check(token: string, subject: Subject, newest: readonly Buffer[]): Promise<LicenseClaims> {
    const { clock, keys } = this.#deps;
    // the hashes are kept for this machine alone, so what the token says was true when it was issued
    const hash = sha256(token);
    const known = newest.some((issued) => sameBytes(issued, hash));
    const claims = known ? readToken(token) : verifyToken(token, (await keys.ring(subject.developerId)).publicKeys);
    const usable =
      claims !== null && isInTime(claims, clock.now().getTime() / 1000) && (known || isAbout(claims, subject));
    if (!usable) throw new LicenseRefusal('invalid_token');
    return claims;
  }

  /** Whether a machine should be given a fresh token: less than half of its own is left. */
  isWorn(claims: LicenseClaims): boolean {
    return claims.exp - this.#deps.clock.now().getTime() / 1000 < (claims.exp - claims.iat) / 2;
  }
}

function isAbout(claims: LicenseClaims, { id, productId, machineId }: Subject): boolean {
  return claims.sub === id && claims.aud === productId && claims.mid === machineHash(machineId);
}
