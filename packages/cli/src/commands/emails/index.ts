import type { Noun } from '#define/command.ts';
import { emailsLog } from './log.ts';
import { emailsPreview } from './preview.ts';
import { emailsTest } from './test.ts';
import { emailsUnsubscribe } from './unsubscribe.ts';

export const emails: Noun = {
  name: 'emails',
  about: 'The email to customers, test emails and the email log',
  commands: [emailsPreview, emailsTest, emailsLog, emailsUnsubscribe],
};
