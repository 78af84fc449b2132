import { signTyped, type TokenKey } from '../tokens/license-token.ts';

/** The claims of an unlock for good. It names no machine and no end. */
export interface UnlockClaims {
  iss: string;
  /** The unlock's id. */
  sub: string;
  /** Product id. */
  aud: string;
  iat: number;
  unlock: true;
}

/** A compact JWS of a type of its own: a verifier that does not know it must not take it for a license. */
export function signUnlock(claims: UnlockClaims, key: TokenKey): string {
  return signTyped('unlock+jwt', claims, key);
}
