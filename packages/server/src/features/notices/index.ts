import type { Base } from '../../platform/feature.ts';
import { keepNotice } from './keep-notice.ts';
import { KeptNotice, NoticeMark } from './notices.entity.ts';
import { noticeRoutes } from './notices.routes.ts';
import { Notices } from './notices.service.ts';

export const notices = {
  entities: [KeptNotice, NoticeMark],

  create(base: Base) {
    const keptNotices = new Notices(base);
    return {
      api: { keptNotices },
      routes: [noticeRoutes(keptNotices)],
      housekeeping: [() => keptNotices.expire()],
      keep: keepNotice(base.clock),
    };
  },
};
