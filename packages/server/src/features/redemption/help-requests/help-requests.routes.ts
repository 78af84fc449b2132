import type { App } from '#platform/http/app-kit.ts';
import { answers, Message, WRITE } from '#platform/http/schemas.ts';
import { limits } from '../limits.ts';
import * as s from './help-requests.schemas.ts';
import type { HelpRequests } from './help-requests.ts';

const SENT = 'Your message is on its way to the plugin’s maker, who answers by email.';

export function helpRoutes(help: HelpRequests) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/redeem/help',
      {
        config: { access: { as: 'public' }, rateLimit: limits.help, idempotent: 'answer' },
        schema: {
          operationId: 'requestHelp',
          tags: ['redemption'],
          summary: 'Write to the maker of a plugin that you own',
          description:
            'Reaches a developer without a support address too. Whoever answers sees the address that the serial was redeemed with. At most three times a day for one serial.',
          body: s.RequestHelpBody,
          response: answers({ 202: Message }, 401, 403, 404, ...WRITE),
        },
      },
      async (request, reply) => {
        await help.send(request.body);
        return reply.code(202).send({ message: SENT });
      },
    );
  };
}
