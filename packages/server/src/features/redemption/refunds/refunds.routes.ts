import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { Adjustment, RefundBody, ReinstateBody } from './refunds.schemas.ts';
import type { Refunds } from './refunds.service.ts';

const write = { as: 'user', role: 'developer', scope: 'refunds:write' } as const;

export function refundRoutes(refunds: Refunds) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/serials/:id/refund',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'refundSerial',
          tags: ['serials'],
          summary: 'Record a refund of a redemption',
          description:
            'In whole or in part, as an entry of today: the redemption, the plan’s usage and closed statements stay as they are. Moves no money by itself.',
          params: IdParams,
          body: RefundBody,
          response: privateAnswers({ 201: Adjustment }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const { params, resourceId, body } = request;
        return reply.code(201).send(await refunds.refund(callerOf(request), params.id, resourceId, body));
      },
    );

    app.post(
      '/api/serials/:id/reinstate',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'reinstateSerial',
          tags: ['serials'],
          summary: 'Take back the refunds of a redemption',
          description: 'An entry of today with the exact negative of what was refunded.',
          params: IdParams,
          body: ReinstateBody,
          response: privateAnswers({ 201: Adjustment }, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        const { params, resourceId, body } = request;
        return reply.code(201).send(await refunds.reinstate(callerOf(request), params.id, resourceId, body));
      },
    );
  };
}
