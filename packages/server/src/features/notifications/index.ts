export { Announcements } from './announcements.service.ts';
export { Digests } from './digest.service.ts';
export { Mails } from './mails.service.ts';
export { Announcement, SentMail } from './notifications.entity.ts';
export { notificationRoutes } from './notifications.routes.ts';
export { Notifications } from './notifications.service.ts';
export { redeemUrlOn } from './redeem-url.ts';
export { unsubscribeRoutes } from './unsubscribe.routes.ts';
export { Unsubscribing } from './unsubscribe.service.ts';
