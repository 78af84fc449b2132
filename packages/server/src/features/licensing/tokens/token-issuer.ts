import { type Clock, DAY } from '#platform/clock.ts';
import { sameBytes, sha256 } from '#platform/secrets/secrets.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
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

  /** @param trialEnd for a trial, whose tokens expire with it. */
  async issue(subject: Subject, offlineDays: number, trialEnd?: Date): Promise<string> {
    const iat = secondsOf(this.#deps.clock.now());
    const offline = iat + (offlineDays * DAY) / 1000;
    const end = trialEnd && secondsOf(trialEnd);
    return this.#sign(subject, {
      iat,
      exp: end === undefined ? offline : Math.min(offline, end),
      // serials have no end of their own after redemption
      lic: end ?? null,
      ...(end === undefined ? {} : { trial: true }),
    });
  }

  /** A token with custom times: only for test serials, because it represents no license. */
  async issueFor(subject: Subject, from: Date, until: Date): Promise<string> {
    return this.#sign(subject, { iat: secondsOf(from), exp: secondsOf(until), lic: null });
  }

  async #sign(subject: Subject, times: Pick<LicenseClaims, 'iat' | 'exp' | 'lic' | 'trial'>): Promise<string> {
    const { keys, publicUrl } = this.#deps;
    const { current } = await keys.ring(subject.developerId);
    const { id: sub, productId: aud, machineId } = subject;
    return signToken({ iss: publicUrl, sub, aud, mid: machineHash(machineId), ...times }, current);
  }

  /**
   * The claims of a token, once it is verified to be ours and about this license on this machine. An expired token is
   * accepted: a computer that was offline for long has no other, and its seat decides whether it may continue.
   * @param newest the hashes of the newest tokens issued for this machine: these need no signature check.
   * @throws {LicenseRefusal} invalid_token
   */
  async check(token: string, subject: Subject, newest: readonly Buffer[]): Promise<LicenseClaims> {
    const { keys } = this.#deps;
    // the hashes belong to this machine, so a matching token's claims were checked when it was issued
    const hash = sha256(token);
    const known = newest.some((issued) => sameBytes(issued, hash));
    const claims = known ? readToken(token) : verifyToken(token, (await keys.ring(subject.developerId)).publicKeys);
    if (claims === null || !(known || isAbout(claims, subject))) throw new LicenseRefusal('invalid_token');
    return claims;
  }

  /**
   * Whether a machine should be given a fresh token: less than half of its own is left, or a wrong clock has issued it.
   */
  isWorn(claims: LicenseClaims): boolean {
    const now = this.#deps.clock.now().getTime() / 1000;
    return !isInTime(claims, now) || claims.exp - now < (claims.exp - claims.iat) / 2;
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function isAbout(claims: LicenseClaims, { id, productId, machineId }: Subject): boolean {
  return claims.sub === id && claims.aud === productId && claims.mid === machineHash(machineId);
}
