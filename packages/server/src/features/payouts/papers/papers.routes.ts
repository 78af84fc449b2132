import { z } from 'zod';
import { callerOf } from '../../../platform/access/guard.ts';
import type { App } from '../../../platform/http/app-kit.ts';
import { abortSignal, asFile } from '../../../platform/http/negotiate.ts';
import { IdParams, privateAnswers } from '../../../platform/http/schemas.ts';
import type { Papers } from './papers.service.ts';

const file = (type: string, description: string) => ({ description, content: { [type]: { schema: z.any() } } });

const sides = [
  { side: 'reseller', path: '/api/reseller/payouts', csv: 'downloadPayoutCsv' },
  { side: 'developer', path: '/api/reseller/developer/payouts', csv: 'downloadDeveloperPayoutCsv' },
] as const;

export function paperRoutes(papers: Papers) {
  return async (app: App): Promise<void> => {
    for (const { side, path, csv } of sides) {
      const access = { as: 'user', role: side, scope: 'payouts:read' } as const;
      app.get(
        `${path}/:id/statement.csv`,
        {
          config: { access, stream: 'rows' },
          schema: {
            operationId: csv,
            tags: ['payouts'],
            summary: 'Download a statement with all of its transactions as CSV',
            description:
              'Its last line has the sums and the digest. `tonerow payouts verify` recounts them from the file alone.',
            params: IdParams,
            response: privateAnswers({ 200: file('text/csv', 'The statement') }, 404),
          },
        },
        async (request, reply) => {
          const reader = { side, userId: callerOf(request).userId };
          const { name, body } = await papers.csv(reader, request.params.id, abortSignal(reply));
          return asFile(reply, 'csv', name).send(body);
        },
      );
    }
  };
}
