import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import { ImportProof } from './proof.schemas.ts';
import type { Proofs } from './proof.service.ts';

const read = { as: 'user', role: 'developer', scope: ['serials:read', 'customers:read'] } as const;

export function proofRoutes(proofs: Proofs) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/imports/:id/proof',
      {
        config: { access: read },
        schema: {
          operationId: 'getImportProof',
          tags: ['imports'],
          summary: 'Compare an import with its file',
          description:
            'Counts, and sums by month, of the file and of what is here now. For imports that have run in steps; those of one call have none.',
          params: IdParams,
          response: privateAnswers({ 200: ImportProof }, 404),
        },
      },
      async (request) => proofs.of(callerOf(request), request.params.id),
    );
  };
}
