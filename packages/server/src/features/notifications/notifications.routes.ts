import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import { NoticePage, NoticesQuery, ReadNotices, ReadNoticesBody } from './notifications.schemas.ts';
import type { Notices } from './notifications.service.ts';

export function noticeRoutes(notices: Notices) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/notifications',
      {
        config: { access: { as: 'user', scope: 'account:read' } },
        schema: {
          operationId: 'listNotifications',
          tags: ['account'],
          summary: 'List your notifications, newest first',
          description:
            'Low stock, imports, quota, payments, webhooks and statements of the last half year, with the two numbers that the bell of the dashboard shows.',
          querystring: NoticesQuery,
          response: privateAnswers({ 200: NoticePage }),
        },
      },
      async (request) => notices.list(callerOf(request), request.query),
    );

    app.post(
      '/api/notifications/read',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'readNotifications',
          tags: ['account'],
          summary: 'Mark notifications as read',
          body: ReadNoticesBody,
          response: privateAnswers({ 200: ReadNotices }, 404, ...WRITE),
        },
      },
      async (request) => {
        await notices.read(callerOf(request), request.body.until);
        return { message: 'Marked as read.' };
      },
    );
  };
}
