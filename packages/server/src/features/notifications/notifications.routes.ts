import { callerOf } from '#platform/access/guard.ts';
import type { App } from '#platform/http/app-kit.ts';
import { privateAnswers, WRITE } from '#platform/http/schemas.ts';
import {
  NotificationPage,
  NotificationsQuery,
  ReadNotifications,
  ReadNotificationsBody,
} from './notifications.schemas.ts';
import type { Notifications } from './notifications.service.ts';

export function notificationRoutes(notifications: Notifications) {
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
          querystring: NotificationsQuery,
          response: privateAnswers({ 200: NotificationPage }),
        },
      },
      async (request) => notifications.list(callerOf(request), request.query),
    );

    app.post(
      '/api/notifications/read',
      {
        config: { access: { as: 'session' } },
        schema: {
          operationId: 'readNotifications',
          tags: ['account'],
          summary: 'Mark notifications as read',
          body: ReadNotificationsBody,
          response: privateAnswers({ 200: ReadNotifications }, 404, ...WRITE),
        },
      },
      async (request) => {
        await notifications.read(callerOf(request), request.body.until);
        return { message: 'Marked as read.' };
      },
    );
  };
}
