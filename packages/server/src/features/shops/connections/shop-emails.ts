import type { Sql } from '#platform/db/database.ts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email, EmailQueue } from '#platform/email/mailer.ts';
import type { Publisher } from '#platform/events.ts';
import type { ShopEvent, ShopNews } from '../shop-events.ts';
import type { ShopsHandle } from '../tables.ts';
import { isReseller } from './owner.ts';

/** Port: whether an account wants to hear of what is connected to it, and where. */
export interface ShopEmails {
  /** @returns null: queue nothing. */
  recipientOf(
    sql: Sql,
    accountId: string,
    kind: 'shops',
  ): Promise<{ email: string; timeZone: string; unsubscribeUrl: string } | null>;
}

export interface ShopEmailDependencies {
  events: Publisher<ShopEvent>;
  emailQueue: EmailQueue;
  emailSwitches: ShopEmails;
  publicUrl: string;
}

const LONGEST = 200;

/**
 * Notifies an account, live, by the bell and by email, that somebody has to look at a shop; in the transaction in which that becomes true.
 * @param means what that does to its orders, where it is not as usual
 */
export async function notifyShopOwner(
  { events, emailQueue, emailSwitches, publicUrl }: ShopEmailDependencies,
  tx: ShopsHandle,
  accountId: string,
  news: ShopNews,
  means = MEANS[news.what],
): Promise<void> {
  const detail = news.detail.slice(0, LONGEST);
  await events.publish(tx, accountId, { type: 'shop', data: { ...news, detail } });
  const to = await emailSwitches.recipientOf(tx, accountId, 'shops');
  if (!to) return;
  const page = (await isReseller(tx, accountId)) ? '/reseller/shops' : '/developer/tools/shops';
  // it may be deleted by then
  const link =
    news.what === 'farewell'
      ? { label: 'Open your shops', url: `${publicUrl}${page}` }
      : { label: 'Open the shop', url: `${publicUrl}${page}/${news.shop_id}` };
  await emailQueue.queue(tx, shopEmail(to, { ...news, detail }, { means, link }));
}

const SUBJECTS: Record<ShopNews['what'], (name: string) => string> = {
  trouble: (name) => `${name} needs a look`,
  silent: (name) => `${name} has gone silent`,
  unmapped: (name) => `${name} sells something that is not mapped`,
  farewell: (name) => `${name} still sends reports here`,
};
const MEANS: Record<ShopNews['what'], string> = {
  trouble: 'Until that is mended, its orders may wait.',
  silent:
    'Its own list has orders that it did not report. They were read from there, and their customers have their codes.',
  unmapped: 'Customers who bought it wait for their codes. Map it, and whatever waits is delivered.',
  farewell: 'Nothing is made of these reports.',
};

/** That somebody has to look at a shop. */
function shopEmail(
  to: { email: string; unsubscribeUrl: string },
  { name, what, detail }: ShopNews,
  { means, link }: { means: string; link: { label: string; url: string } },
): Email {
  return composeEmail({
    to: to.email,
    unsubscribeUrl: to.unsubscribeUrl,
    subject: SUBJECTS[what](name),
    lines: [detail, means],
    link,
  });
}
