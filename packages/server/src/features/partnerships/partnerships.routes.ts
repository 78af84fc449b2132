import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { abortSignal, asFile, jsonOrCsv, orCsv } from '#platform/http/answers/negotiate.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { IdParams, Message, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { PartnerDevelopers } from './developers.service.ts';
import * as s from './partnerships.schemas.ts';
import type { Resellers } from './resellers.service.ts';

const read = { as: 'user', role: 'developer', scope: 'resellers:read' } as const;
const write = { as: 'user', role: 'developer', scope: 'resellers:write' } as const;
const partner = { as: 'user', role: 'reseller', scope: 'partners:read' } as const;

const steps = {
  pause: {
    operationId: 'pauseReseller',
    summary: 'Pause a partnership',
    description:
      'The reseller no longer sees products, deals and stock. Serials that are already out can be redeemed and earn commission. The reseller is notified by email.',
  },
  resume: {
    operationId: 'resumeReseller',
    summary: 'Resume a paused partnership',
    description: 'The reseller is notified by email.',
  },
  end: {
    operationId: 'endReseller',
    summary: 'End a partnership',
    description:
      'The developer’s data is hidden from the reseller at once. The ledger and past transactions stay, and serials that are already out earn the commission rate of the end. The reseller is notified by email.',
  },
} as const;

/** Routes of developers for their resellers. */
export function resellerRoutes(resellers: Resellers) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/developer/resellers',
      {
        config: { access: read, stream: 'rows' },
        schema: {
          operationId: 'listResellers',
          tags: ['resellers'],
          summary: 'List the resellers a developer works with, by name',
          description:
            '`X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page. `Accept: text/csv` streams all that match the filter.',
          querystring: s.ListResellersQuery,
          response: privateAnswers({ 200: orCsv(z.array(s.Reseller), 'The resellers') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return pageHeaders(reply, await resellers.list(caller, request.query));
        return asFile(reply, 'csv', 'resellers').send(
          await resellers.export(caller, request.query, abortSignal(reply)),
        );
      },
    );

    app.get(
      '/api/reseller',
      {
        config: { access: read },
        schema: {
          operationId: 'listConnectedResellers',
          tags: ['resellers'],
          summary: 'List the connected resellers: those whose partnership is active',
          description: '`X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page.',
          querystring: s.ConnectedResellersQuery,
          response: privateAnswers({ 200: z.array(s.Reseller) }),
        },
      },
      async (request, reply) =>
        pageHeaders(reply, await resellers.list(callerOf(request), { ...request.query, status: 'active' })),
    );

    app.get(
      '/api/reseller/developer/resellers/:id',
      {
        config: { access: read },
        schema: {
          operationId: 'getReseller',
          tags: ['resellers'],
          summary: 'Get a reseller with the history of the partnership',
          params: IdParams,
          response: privateAnswers({ 200: s.ResellerProfile }, 404),
        },
      },
      async (request) => resellers.get(callerOf(request), request.params.id),
    );

    app.patch(
      '/api/reseller/developer/resellers/:id',
      {
        config: { access: write },
        schema: {
          operationId: 'changeReseller',
          tags: ['resellers'],
          summary: 'Change a reseller’s commission and stock threshold',
          description:
            'A new commission rate counts for later redemptions only, and the reseller is notified by email. Omitted fields stay unchanged.',
          params: IdParams,
          body: s.ChangeResellerBody,
          response: privateAnswers({ 200: s.ResellerProfile }, 404, ...WRITE),
        },
      },
      async (request) => resellers.change(callerOf(request), request.params.id, request.body),
    );

    for (const step of ['pause', 'resume', 'end'] as const) {
      app.post(
        `/api/reseller/developer/resellers/:id/${step}`,
        {
          config: { access: { ...write, verified: true } },
          schema: {
            ...steps[step],
            tags: ['resellers'],
            params: IdParams,
            response: privateAnswers({ 200: s.ResellerProfile }, 404, ...WRITE),
          },
        },
        async (request) => resellers.step(callerOf(request), request.params.id, step),
      );
    }

    app.post(
      '/api/reseller/developer/resellers/:id/merge',
      {
        config: { access: { ...write, verified: true } },
        schema: {
          operationId: 'mergeReseller',
          tags: ['resellers'],
          summary: 'Merge a named reseller into a partnership with an account',
          description:
            'Its batches and serials move. Its ledger and statements stay as they are, and are listed and added up with those of the other from then on, which the reseller is notified of by email. It can’t be undone.',
          params: IdParams,
          body: s.MergeBody,
          response: privateAnswers({ 200: s.Merged }, 404, ...WRITE),
        },
      },
      async (request) => resellers.merge(callerOf(request), request.params.id, request.body),
    );

    app.post(
      '/api/reseller/developer/resellers/:id/message',
      {
        config: { access: { ...write, verified: true }, idempotent: 'answer' },
        schema: {
          operationId: 'messageReseller',
          tags: ['resellers'],
          summary: 'Email a reseller',
          description: 'Replies go to the developer’s email address.',
          params: IdParams,
          body: s.MessageBody,
          response: privateAnswers({ 200: Message }, 404, ...WRITE),
        },
      },
      async (request) => {
        const { params, resourceId, body } = request;
        await resellers.message(callerOf(request), params.id, resourceId, body.message);
        return { message: 'Message sent.' };
      },
    );
  };
}

/** Routes of resellers for their developers. */
export function partnerRoutes(developers: PartnerDevelopers) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/developers',
      {
        config: { access: partner, stream: 'rows' },
        schema: {
          operationId: 'listPartners',
          tags: ['partners'],
          summary: 'List the developers a reseller works with, by name',
          description:
            '`X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page. `Accept: text/csv` streams all that match the filter.',
          querystring: s.ListDevelopersQuery,
          response: privateAnswers({ 200: orCsv(z.array(s.PartnerDeveloper), 'The developers') }, 406),
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        if (jsonOrCsv(request) === 'json') return pageHeaders(reply, await developers.list(caller, request.query));
        return asFile(reply, 'csv', 'developers').send(
          await developers.export(caller, request.query, abortSignal(reply)),
        );
      },
    );

    app.get(
      '/api/reseller/developers/:id',
      {
        config: { access: partner },
        schema: {
          operationId: 'getPartner',
          tags: ['partners'],
          summary: 'Get a developer with their products and the history of the partnership',
          description: 'An ended partnership is answered as if there were none.',
          params: IdParams,
          response: privateAnswers({ 200: s.PartnerDeveloperProfile }, 404),
        },
      },
      async (request) => developers.get(callerOf(request), request.params.id),
    );
  };
}
