import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers } from '#platform/http/schemas.ts';
import { ProductOverview } from './overview.schemas.ts';
import type { ProductOverviews } from './overview.service.ts';

export function overviewRoutes(overviews: ProductOverviews) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/products/:id/overview',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'products:read' } },
        schema: {
          operationId: 'getProductOverview',
          tags: ['products'],
          summary: 'Get a product with its sales, stock, machines, files and refusals',
          description:
            'Derived from daily sums, so that a product with a million sales is answered as fast as a new one.',
          params: IdParams,
          response: privateAnswers({ 200: ProductOverview }, 404),
        },
      },
      async (request) => overviews.get(callerOf(request), request.params.id),
    );
  };
}
