import type { Noun } from '#define/command.ts';
import { payoutsAnswer } from './answer.ts';
import { payoutsArchive } from './archive.ts';
import { payoutsConfirm } from './confirm.ts';
import { payoutsDispute } from './dispute.ts';
import { payoutsExport } from './export.ts';
import { payoutsList } from './list.ts';
import { payoutsOwed } from './owed.ts';
import { payoutsPay } from './pay.ts';
import { payoutsReverse } from './reverse.ts';
import { payoutsShow } from './show.ts';
import { payoutsVerify } from './verify.ts';
import { payoutsWhatIf } from './what-if.ts';

export const payouts: Noun = {
  name: 'payouts',
  about: 'Monthly statements between developers and resellers',
  commands: [
    payoutsList,
    payoutsShow,
    payoutsConfirm,
    payoutsDispute,
    payoutsAnswer,
    payoutsPay,
    payoutsReverse,
    payoutsOwed,
    payoutsWhatIf,
    payoutsExport,
    payoutsArchive,
    payoutsVerify,
  ],
};
