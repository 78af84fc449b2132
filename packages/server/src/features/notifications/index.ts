import type { Principal } from '#platform/access/access.ts';
import type { Base } from '#platform/feature.ts';
import { keepNotification } from './keep-notification.ts';
import { notificationRoutes } from './notifications.routes.ts';
import { Notifications } from './notifications.service.ts';
import { tables } from './tables.ts';

interface Needs {
  pendingInvites: (caller: Principal) => Promise<number>;
  pendingDeals: (caller: Principal) => Promise<number>;
  needsPayment: (developerId: string) => Promise<boolean>;
}

/** Pending tasks of an account: each is a line under the bell until it is done. */
const pendingOf =
  ({ pendingInvites, pendingDeals, needsPayment }: Needs) =>
  async (caller: Principal): Promise<number> => {
    const payments = caller.role === 'developer' && (await needsPayment(caller.accountId)) ? 1 : 0;
    return payments + (await pendingInvites(caller)) + (await pendingDeals(caller));
  };

export const notifications = {
  entities: tables.entities,

  create(platform: Base, needs: Needs) {
    const base = { ...platform, db: tables.of(platform.db) };
    const notifications = new Notifications({ ...base, pending: pendingOf(needs) });
    return {
      api: { notifications },
      routes: [notificationRoutes(notifications)],
      housekeeping: [() => notifications.expire()],
      keep: keepNotification(base.clock),
    };
  },
};
