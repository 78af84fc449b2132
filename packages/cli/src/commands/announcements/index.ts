import type { Noun } from '#define/command.ts';
import { announcementsList } from './list.ts';
import { announcementsSend } from './send.ts';

export const announcements: Noun = {
  name: 'announcements',
  about: 'Send and list announcements',
  commands: [announcementsList, announcementsSend],
};
