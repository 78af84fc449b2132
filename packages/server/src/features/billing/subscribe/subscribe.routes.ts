import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { PlanSwitch, PlanSwitchForm } from './subscribe.schemas.ts';
import type { Subscriptions } from './subscribe.service.ts';

export function subscribeRoutes(subscriptions: Subscriptions) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/subscribe',
      {
        // it spends money: no access token does
        config: { access: { as: 'session', role: 'developer', verified: true } },
        schema: {
          operationId: 'subscribe',
          tags: ['plans'],
          summary: 'Switch the plan',
          description:
            'At once: what counts from now on counts by the new plan, and the month costs the fee of the dearest plan held in it. Choosing the plan that is held changes nothing. 402 `card_required` without a card where cards are taken, on every plan but Starter.',
          body: PlanSwitchForm,
          response: privateAnswers({ 200: PlanSwitch }, 402, ...WRITE),
        },
      },
      async (request) => subscriptions.subscribe(callerOf(request), request.body),
    );
  };
}
