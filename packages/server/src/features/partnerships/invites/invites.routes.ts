import { z } from 'zod';
import { callerOf } from '#platform/access/guard.ts';
import { pageHeaders } from '#platform/http/answers/page-headers.ts';
import type { App } from '#platform/http/app-kit.ts';
import { answers, IdParams, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import * as s from './invites.schemas.ts';
import { limits } from './limits.ts';
import type { ReceivedInvites } from './received-invites.service.ts';
import type { SentInvites } from './sent-invites.service.ts';

const read = { as: 'user', scope: 'invites:read' } as const;
const write = { as: 'user', scope: 'invites:write', verified: true } as const;

export function inviteRoutes(sent: SentInvites, received: ReceivedInvites) {
  return async (app: App): Promise<void> => {
    app.post(
      '/api/reseller/developer/invite-reseller',
      {
        config: { access: { ...write, role: 'developer' }, idempotent: 'answer' },
        schema: {
          operationId: 'inviteResellers',
          tags: ['invites'],
          summary: 'Invite resellers by email',
          description:
            'An address whose invitation is pending is sent it again, at most once a day. The response does not depend on whether an address has an account: without one, the invitation waits for its registration.',
          body: s.InviteResellersBody,
          response: privateAnswers({ 201: s.InvitesSent }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { email, emails, message, commission_rate, partnership_id } = request.body;
        const invites = await sent.send(callerOf(request), request.resourceId, {
          role: 'reseller',
          emails: emails ?? [email as string],
          message,
          commissionRate: commission_rate,
          partnershipId: partnership_id,
        });
        return reply.code(201).send(invites);
      },
    );

    app.post(
      '/api/reseller/invite-developer',
      {
        config: { access: { ...write, role: 'reseller' }, idempotent: 'answer' },
        schema: {
          operationId: 'inviteDeveloper',
          tags: ['invites'],
          summary: 'Ask a developer by email to sell their products',
          body: s.InviteDeveloperBody,
          response: privateAnswers({ 201: s.InvitesSent }, ...WRITE),
        },
      },
      async (request, reply) => {
        const { email, message } = request.body;
        const order = { role: 'developer' as const, emails: [email], message };
        return reply.code(201).send(await sent.send(callerOf(request), request.resourceId, order));
      },
    );

    for (const role of ['reseller', 'developer'] as const) {
      app.get(
        `/api/reseller/invites/${role}`,
        {
          config: { access: { ...read, role } },
          schema: {
            operationId: role === 'reseller' ? 'listResellerInvites' : 'listDeveloperInvites',
            tags: ['invites'],
            summary: `List the pending invitations to the ${role}, newest first`,
            description:
              'Empty until the account’s email address is verified. `X-Total-Count` has the total, `X-Next-Cursor` the cursor of the next page.',
            querystring: s.ReceivedInviteQuery,
            response: privateAnswers({ 200: z.array(s.ReceivedInvite) }),
          },
        },
        async (request, reply) => pageHeaders(reply, await received.list(callerOf(request), request.query)),
      );
    }

    app.post(
      '/api/reseller/invites/respond',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'respondToInvite',
          tags: ['invites'],
          summary: 'Accept or reject an invitation',
          description: 'The same response again changes nothing and gets the same result.',
          body: s.RespondBody,
          response: privateAnswers({ 200: s.InviteAnswered }, 404, ...WRITE),
        },
      },
      async (request) => received.respond(callerOf(request), request.body.invite_id, request.body.response),
    );

    app.post(
      '/api/reseller/invites/follow',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'followInvite',
          tags: ['invites'],
          summary: 'Open the link of an invitation’s email',
          description: 'Shows the invitation, and verifies the email address of the account it was sent to.',
          body: s.FollowBody,
          response: privateAnswers({ 200: s.FollowedInvite }, ...WRITE),
        },
      },
      async (request) => received.follow(callerOf(request), request.body.token),
    );

    app.post(
      '/api/reseller/invites/preview',
      {
        config: { access: { as: 'public' }, rateLimit: limits.invite_preview },
        schema: {
          operationId: 'previewInvite',
          tags: ['invites'],
          summary: 'Show who invites, to sell what and for which commission, before there is an account',
          description: 'What is in the email with the link, and the products. Changes nothing.',
          body: s.FollowBody,
          response: answers({ 200: s.InvitePreview }, ...WRITE),
        },
      },
      async (request) => received.preview(request.body.token),
    );

    app.get(
      '/api/reseller/invites/sent',
      {
        config: { access: read },
        schema: {
          operationId: 'listSentInvites',
          tags: ['invites'],
          summary: 'List the invitations that the account has sent, newest first',
          querystring: s.SentInviteQuery,
          response: privateAnswers({ 200: s.SentInvitePage }),
        },
      },
      async (request) => sent.list(callerOf(request), request.query),
    );

    app.post(
      '/api/reseller/invites/:id/withdraw',
      {
        config: { access: { as: 'user', scope: 'invites:write' } },
        schema: {
          operationId: 'withdrawInvite',
          tags: ['invites'],
          summary: 'Withdraw a pending invitation',
          params: IdParams,
          response: privateAnswers({ 200: s.SentInvite }, 404, ...WRITE),
        },
      },
      async (request) => sent.withdraw(callerOf(request), request.params.id),
    );

    app.post(
      '/api/reseller/invites/:id/resend',
      {
        config: { access: write, idempotent: 'answer' },
        schema: {
          operationId: 'resendInvite',
          tags: ['invites'],
          summary: 'Email a pending invitation again, at most once a day',
          description: 'It then lasts another 30 days.',
          params: IdParams,
          response: privateAnswers({ 200: s.SentInvite }, 404, ...WRITE),
        },
      },
      async (request) => sent.resend(callerOf(request), request.resourceId, request.params.id),
    );
  };
}
