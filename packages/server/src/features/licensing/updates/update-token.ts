import { signTyped, type TokenKey } from '../tokens/license-token.ts';

/** The claims of an update's file. */
export interface UpdateClaims {
  iss: string;
  /** Product id. */
  aud: string;
  iat: number;
  ver: string;
  file: string;
  size: number;
  /** In lower-case hexadecimal. */
  sha256: string;
}

/** A type of its own, so that no verifier takes it for a license, nor a license for it. */
const UPDATE_TYPE = 'tonerow-update+jwt';

export function signUpdate(claims: UpdateClaims, key: TokenKey): string {
  return signTyped(UPDATE_TYPE, claims, key);
}
