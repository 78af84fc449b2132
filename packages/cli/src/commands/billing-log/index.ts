import type { Noun } from '#define/command.ts';
import { billingLogDifferences } from './differences.ts';
import { billingLogList } from './list.ts';
import { billingLogRetry } from './retry.ts';
import { billingLogShow } from './show.ts';
import { billingLogUncollectible } from './uncollectible.ts';
import { billingLogVoid } from './void.ts';

export const billingLog: Noun = {
  name: 'billing-log',
  about: 'What all developers were charged, for admins',
  commands: [
    billingLogList,
    billingLogShow,
    billingLogDifferences,
    billingLogRetry,
    billingLogUncollectible,
    billingLogVoid,
  ],
};
