import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { DrawLists } from './draw-lists.service.ts';
import * as s from './draws.schemas.ts';
import type { Draws } from './draws.service.ts';
import { limits } from './limits.ts';

const read = { as: 'user', role: 'reseller', scope: 'stock:read' } as const;
const write = { as: 'user', role: 'reseller', scope: 'stock:write', shows: ['codes'] } as const;

export function drawRoutes(draws: Draws, lists: DrawLists) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/reseller/serials/draw',
      {
        config: { access: write, rateLimit: limits.draws },
        schema: {
          operationId: 'drawSerials',
          tags: ['draws'],
          summary: 'Hand codes out at the moment of sale',
          description:
            'Hands out exactly `quantity` codes or none, and no code twice. The same reference with the same body gets the same codes forever, so a call whose answer was lost is simply repeated; with another body it is refused (422). When fewer are left, 409 with their number in `available`. First go the codes that have to be redeemed by the earliest date, then those of the oldest batch; codes of a deal that has not begun or is over stay.',
          body: s.DrawBody,
          response: privateAnswers({ 201: s.Drawn }, 404, ...WRITE),
        },
      },
      async (request, reply) => reply.code(201).send(await draws.draw(callerOf(request), request.body)),
    );

    app.get(
      '/api/reseller/serials/draws',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listDraws',
          tags: ['draws'],
          summary: 'List draws with the state of their codes, newest first',
          description: '`Accept: text/csv` streams a line for each code of all draws that match the filter.',
          querystring: s.ListDrawsQuery,
          response: privateAnswers({ 200: orCsv(s.DrawPage, 'A page of draws') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return lists.list(caller, request.query);
        return asFile(reply, 'csv', 'draws').send(await lists.export(caller, request.query, abortSignal(reply)));
      },
    );

    app.get(
      '/api/reseller/serials/draws/:reference',
      {
        config: { access: read },
        schema: {
          operationId: 'getDraw',
          tags: ['draws'],
          summary: 'Get a draw with the state of its codes',
          params: s.DrawParams,
          response: privateAnswers({ 200: s.DrawRecord }, 404),
        },
      },
      async (request) => lists.get(callerOf(request), request.params.reference),
    );

    app.post(
      '/api/reseller/serials/draws/:reference/return',
      {
        config: { access: write },
        schema: {
          operationId: 'returnDraw',
          tags: ['draws'],
          summary: 'Return codes of a draw to stock',
          description:
            'For sales that were canceled: returned codes can be handed out again, so return only what no customer holds. Codes that were redeemed or revoked stay as they are and are listed. The same call again changes nothing and gets the same answer.',
          params: s.DrawParams,
          body: s.ReturnBody,
          response: privateAnswers({ 200: s.Returned }, 404, ...WRITE),
        },
      },
      async (request) => draws.giveBack(callerOf(request), request.params.reference, request.body.codes),
    );
  };
}
