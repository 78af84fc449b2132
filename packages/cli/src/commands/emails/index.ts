import type { Noun } from '../../define-command.ts';
import { emailsLog } from './log.ts';
import { emailsTest } from './test.ts';
import { emailsUnsubscribe } from './unsubscribe.ts';

export const emails: Noun = {
  name: 'emails',
  about: 'Test emails and the email log',
  commands: [emailsTest, emailsLog, emailsUnsubscribe],
};
