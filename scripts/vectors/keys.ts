/** The keys of all vectors. They are for tests only, and always the same. */
import { hash } from 'node:crypto';
import { privateKeyOf } from '../../packages/server/src/features/licensing/tokens/license-token.ts';

/** The key of a fixed seed: RFC 8410's wrapping around its 32 bytes. */
function keyOf(kid: string) {
  const seed = hash('sha256', `tonerow test vectors: ${kid}`, 'buffer');
  const privateKey = privateKeyOf(Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]));
  const { x } = privateKey.export({ format: 'jwk' });
  return { kid, privateKey, x: x as string };
}

export const current = keyOf('key-current');
export const retired = keyOf('key-retired');
/** A key that is not in the JWKS. */
export const stranger = keyOf('key-of-somebody-else');
export const jwks = {
  keys: [current, retired].map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' })),
};
