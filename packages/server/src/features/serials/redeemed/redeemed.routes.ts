import { callerOf } from '#platform/access/guard.ts';
import { reportWithheld } from '#platform/access/withhold.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { read, write } from '../serials-access.ts';
import * as s from './redeemed.schemas.ts';
import type { RedeemedSerials } from './redeemed.service.ts';

export function redeemedRoutes(redeemed: RedeemedSerials) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/serials/redeemed',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listRedeemedSerials',
          tags: ['serials'],
          summary: 'Redeemed serials with their customers, newest first',
          description: '`Accept: text/csv` streams all that match the filter.',
          querystring: s.RedeemedQuery,
          response: privateAnswers({ 200: orCsv(s.RedeemedPage, 'A page of redeemed serials') }, 406),
        },
      },
      async (request, reply) => {
        const form = jsonOrCsv(request);
        const caller = callerOf(request);
        if (form === 'json') return redeemed.list(caller, request.query);
        const rows = await redeemed.csv(caller, request.query, abortSignal(reply));
        reportWithheld(reply, caller, 'people');
        return asFile(reply, form, 'redeemed_serials').send(rows);
      },
    );

    app.get(
      '/api/serials/redeemed/choices',
      {
        config: { access: read },
        schema: {
          operationId: 'listRedeemedChoices',
          tags: ['serials'],
          summary: 'What redeemed serials can be filtered by, with counts',
          description:
            'Products, resellers and countries are counted whole as long as only they are filtered by; the rest among the newest 10,000, or 100,000 where a status is chosen.',
          querystring: s.RedeemedChoicesQuery,
          response: privateAnswers({ 200: s.RedeemedChoiceCounts }),
        },
      },
      async (request) => redeemed.choices(callerOf(request), request.query),
    );

    app.post(
      '/api/serials/redeemed/change',
      {
        config: { access: write },
        schema: {
          operationId: 'changeRedeemedSerials',
          tags: ['serials'],
          summary: 'Revoke, reassign or reset the downloads of all redeemed serials that fit a filter',
          description: 'All of them or none. Try it with `dry_run` first: it answers how many, and what it would cost.',
          body: s.ChangeRedeemedBody,
          response: privateAnswers({ 200: s.ChangedRedeemed }, ...WRITE),
        },
      },
      async (request) => redeemed.change(callerOf(request), request.body),
    );
  };
}
