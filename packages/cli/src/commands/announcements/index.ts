import type { Noun } from '../../define-command.ts';
import { announcementsList } from './list.ts';
import { announcementsSend } from './send.ts';

export const announcements: Noun = {
  name: 'announcements',
  about: 'What everybody is told',
  commands: [announcementsList, announcementsSend],
};
