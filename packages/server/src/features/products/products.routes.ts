import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { DryRun, Flag, IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { CreateProductBody, DeletedProduct, ProductView, UpdateProductBody } from './products.schemas.ts';
import type { Products } from './products.service.ts';

const read = { as: 'user', role: 'developer', scope: 'products:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'products:write' } as const;

export function productRoutes(products: Products) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/products',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'createProduct',
          tags: ['products'],
          summary: 'Create a product or a draft',
          body: CreateProductBody,
          response: privateAnswers({ 201: ProductView }, ...WRITE),
        },
      },
      async (request, reply) => {
        const product = await products.create(callerOf(request).accountId, request.resourceId, request.body);
        return reply.code(201).send(product);
      },
    );

    app.get(
      '/api/products/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getProduct',
          tags: ['products'],
          summary: 'Get a product',
          params: IdParams,
          response: privateAnswers({ 200: ProductView }, 404),
        },
      },
      async (request) => products.get(callerOf(request).accountId, request.params.id),
    );

    app.put(
      '/api/products/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'updateProduct',
          tags: ['products'],
          summary: 'Change a product',
          description: 'Omitted fields stay unchanged.',
          params: IdParams,
          body: UpdateProductBody,
          response: privateAnswers({ 200: ProductView }, 404, ...WRITE),
        },
      },
      async (request) => products.update(callerOf(request).accountId, request.params.id, request.body),
    );

    app.post(
      '/api/products/:id/publish',
      {
        config: { access: write },
        schema: {
          operationId: 'publishProduct',
          tags: ['products'],
          summary: 'Turn a draft into a submitted product',
          params: IdParams,
          response: privateAnswers({ 200: ProductView }, 404, ...WRITE),
        },
      },
      async (request) => products.publish(callerOf(request).accountId, request.params.id),
    );

    app.delete(
      '/api/products/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'deleteProduct',
          tags: ['products'],
          summary: 'Delete a product and its available serials',
          params: IdParams,
          querystring: z.object({
            force: Flag.describe('Delete even with redeemed serials: they are revoked, and the ledger is kept.'),
            dry_run: DryRun,
          }),
          response: privateAnswers({ 200: DeletedProduct }, 404, 409),
        },
      },
      async (request) => {
        const { force, dry_run } = request.query;
        const done = await products.delete(callerOf(request).accountId, request.params.id, { force, dryRun: dry_run });
        const message = dry_run ? 'Nothing was changed.' : 'Product deleted.';
        return { message, serials_deleted: done.deleted, serials_revoked: done.revoked, dry_run };
      },
    );
  };
}
