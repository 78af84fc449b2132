import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { dataOf } from '#platform/access/withhold.ts';
import { abortSignal } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Id, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { type FirstSteps, steps } from './first-steps.service.ts';

const Progress = z
  .object({
    steps: z
      .array(
        z.object({
          step: z
            .enum(steps)
            .describe(
              'A product that is no draft, a batch of serials, a redemption page with a logo, a color or a support address, a plugin key, and a redemption.',
            ),
          done: z.boolean().describe('Whether it has been taken.'),
        }),
      )
      .describe('In the order in which they are best taken.'),
    hidden: z.boolean().describe('Whether the developer has put the checklist away.'),
  })
  .meta({ id: 'FirstSteps' });

const Hidden = z.strictObject({
  hidden: z.boolean().describe('`true` puts the checklist away, `false` brings it back.'),
});

const Prepared = z
  .object({
    serial_id: Id,
    serial: dataOf('codes', z.string()),
    product_name: z.string(),
    redeem_link: z.string().describe('The redemption page with the code and the account’s own address filled in.'),
  })
  .meta({ id: 'FirstRedemption' });

export function firstStepsRoutes(firstSteps: FirstSteps) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/account/first-steps',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'account:read' } },
        schema: {
          operationId: 'getFirstSteps',
          tags: ['account'],
          summary: 'How far a new account is',
          description: 'The steps from an empty account to the first redemption, each with whether it is done.',
          response: privateAnswers({ 200: Progress }),
        },
      },
      async (request) => firstSteps.get(callerOf(request)),
    );

    app.post(
      '/api/account/first-steps/redemption',
      {
        config: {
          access: { as: 'user', role: 'developer', scope: 'serials:write', shows: ['codes'] },
          idempotent: 'resource',
        },
        schema: {
          operationId: 'prepareFirstRedemption',
          tags: ['account'],
          summary: 'Get a code to redeem oneself, as a customer would',
          description:
            'A serial of the newest product at $0, which nobody else can have been given. Until it is redeemed, it is always the same one. Its redemption counts in the month’s usage.',
          response: privateAnswers({ 201: Prepared }, ...WRITE),
        },
      },
      async (request, reply) =>
        reply.code(201).send(await firstSteps.prepare(callerOf(request), request.resourceId, abortSignal(reply))),
    );

    app.patch(
      '/api/account/first-steps',
      {
        config: { access: { as: 'session', role: 'developer' } },
        schema: {
          operationId: 'hideFirstSteps',
          tags: ['account'],
          summary: 'Put the checklist of first steps away',
          body: Hidden,
          response: privateAnswers({ 200: Progress }, ...WRITE),
        },
      },
      async (request) => firstSteps.hide(callerOf(request), request.body.hidden),
    );
  };
}
