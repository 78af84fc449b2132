import type { Noun } from '../../define-command.ts';
import { mailLog } from './log.ts';
import { mailTest } from './test.ts';
import { mailUnsubscribe } from './unsubscribe.ts';

export const mail: Noun = {
  name: 'mail',
  about: 'Letters, and what became of them',
  commands: [mailTest, mailLog, mailUnsubscribe],
};
