import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { Message, privateAnswers, WRITE } from '#platform/http/schemas.ts';
import type { SentEmails } from './email-queue.service.ts';
import * as s from './emails.schemas.ts';
import { limits } from './limits.ts';
import type { AccountEmails } from './to-accounts/account-emails.service.ts';
import type { Announcements } from './to-accounts/announcements.service.ts';
import type { CustomerEmails } from './to-customers/customer-emails.service.ts';

interface Services {
  emailQueue: SentEmails;
  announcements: Announcements;
  accountEmails: AccountEmails;
  customerEmails: CustomerEmails;
}

export function emailRoutes({ emailQueue, announcements, accountEmails, customerEmails }: Services) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/admin/emails',
      {
        config: { access: { as: 'admin' } },
        schema: {
          operationId: 'listEmails',
          tags: ['admin'],
          summary: 'List sent emails and their delivery state, newest first',
          querystring: s.EmailQuery,
          response: privateAnswers({ 200: s.EmailPage }),
        },
      },
      async (request) => emailQueue.list(request.query),
    );

    app.get(
      '/api/email-log',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'customers:read' } },
        schema: {
          operationId: 'listCustomerEmails',
          tags: ['customers'],
          summary: 'List the emails that your customers were sent, newest first',
          description: 'Who was sent what, and whether a mail server took it; never what is in them.',
          querystring: s.OwnEmailQuery,
          response: privateAnswers({ 200: s.OwnEmailPage }),
        },
      },
      async (request) => emailQueue.listOwn(callerOf(request).accountId, request.query),
    );

    app.post(
      '/api/admin/announcements',
      {
        config: { access: { as: 'admin', verified: true }, idempotent: 'answer' },
        schema: {
          operationId: 'sendAnnouncement',
          tags: ['admin'],
          summary: 'Email everyone who is subscribed to announcements',
          body: s.AnnouncementBody,
          response: privateAnswers({ 201: s.AnnouncementSent }, ...WRITE),
        },
      },
      async (request, reply) => reply.code(201).send(await announcements.send(request.resourceId, request.body)),
    );

    app.get(
      '/api/admin/announcements',
      {
        config: { access: { as: 'admin' } },
        schema: {
          operationId: 'listAnnouncements',
          tags: ['admin'],
          summary: 'List announcements, newest first',
          querystring: s.AnnouncementQuery,
          response: privateAnswers({ 200: s.AnnouncementPage }),
        },
      },
      async (request) => announcements.list(request.query),
    );

    app.get(
      '/api/developer/branding/email',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'account:read' } },
        schema: {
          operationId: 'previewCustomerEmail',
          tags: ['branding'],
          summary: 'Get the email that customers get after redeeming, as a preview',
          description:
            'With your newest product, and your branding as it is saved or as the query has it, which saves nothing. The serial is an example, and the link opens nothing.',
          querystring: s.EmailPreviewQuery,
          response: privateAnswers({ 200: s.EmailPreview }, 404),
        },
      },
      async (request) => customerEmails.preview(callerOf(request), request.query),
    );

    app.post(
      '/api/account/test-email',
      {
        config: { access: { as: 'session' }, rateLimit: limits.test_email, idempotent: 'answer' },
        schema: {
          operationId: 'sendTestEmail',
          tags: ['account'],
          summary: 'Send yourself a test email',
          response: privateAnswers({ 202: Message }, ...WRITE),
        },
      },
      async (request, reply) => {
        await accountEmails.sendTest(callerOf(request));
        return reply.code(202).send({ message: 'A test email is on its way to you.' });
      },
    );
  };
}
