import { type MyProducts, limits as redemptionLimits } from '#features/redemption';
import type { App } from '#platform/http/app-kit.ts';
import { answers, Ok, WRITE } from '#platform/http/schemas.ts';
import { OwnMachineBody } from './seats.schemas.ts';
import type { Seats } from './seats.service.ts';

/** Routes for a serial's owner, with the link from the email. */
export function ownMachineRoutes(seats: Seats, mine: MyProducts) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/my-products/release',
      {
        config: { access: { as: 'public' }, rateLimit: redemptionLimits.redeem, idempotent: 'answer' },
        schema: {
          operationId: 'releaseMachine',
          tags: ['redemption'],
          summary: 'Release the seat of your own machine',
          body: OwnMachineBody,
          response: answers({ 200: Ok }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { token, machine_id } = request.body;
        await seats.releaseOwn(await mine.person(token), machine_id);
        return { ok: true as const };
      },
    );
  };
}
