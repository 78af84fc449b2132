import { z } from 'zod';
import type { App } from '#platform/http/app-kit.ts';
import { limits } from '../requests/limits.ts';
import { refuseInJson, sameAnswer } from '../requests/plugin-call.http.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { SigningKeys } from '../tokens/signing-keys.ts';

const JwksQuery = z.object({ dev: z.uuid('dev must be a developer’s id.') });
const Jwks = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'Jwks' });

export function jwksRoute(signingKeys: SigningKeys) {
  return async (app: App): Promise<void> => {
    app.setErrorHandler(refuseInJson);
    app.get(
      '/api/license/v1/jwks',
      {
        config: { access: { as: 'public' }, rateLimit: limits.license },
        schema: {
          operationId: 'getLicenseKeys',
          tags: ['licensing'],
          summary: 'The public keys that verify a developer’s validation tokens',
          querystring: JwksQuery,
          response: { ...sameAnswer, 200: Jwks },
        },
      },
      async (request, reply) => {
        const keys = await signingKeys.jwks(request.query.dev);
        if (!keys) throw new LicenseRefusal('not_found', 'Developer not found.');
        reply.header('cache-control', 'public, max-age=300');
        return { keys };
      },
    );
  };
}
