import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, Time, WRITE } from '#platform/http/schemas.ts';
import type { ExpansionSecrets } from './expansion-secrets.service.ts';

const RotatedSecret = z
  .object({
    number: z.int().describe('How many secrets the product has had.'),
    since: Time.describe('Serials redeemed from then on get keys of it.'),
  })
  .meta({ id: 'RotatedExpansionSecret' });

export function expansionSecretRoutes(secrets: ExpansionSecrets) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/products/:id/expansion-secret/rotate',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'products:write' } },
        schema: {
          operationId: 'rotateExpansionSecret',
          tags: ['products'],
          summary: 'Derive the keys of HISE expansions from another secret, for serials redeemed from now on',
          description:
            'Serials that are redeemed already keep their keys, so that no customer has to install an expansion again.',
          params: IdParams,
          response: privateAnswers({ 200: RotatedSecret }, 404, ...WRITE),
        },
      },
      async (request) => secrets.rotate(callerOf(request).accountId, request.params.id),
    );
  };
}
