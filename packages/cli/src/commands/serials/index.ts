import type { Noun } from '#define/command.ts';
import { serialsAvailable } from './available.ts';
import { serialsBatch } from './batch.ts';
import { serialsBatchChoices } from './batch-choices.ts';
import { serialsBatches } from './batches.ts';
import { serialsChangeMatching } from './change-matching.ts';
import { serialsChangeRedeemed } from './change-redeemed.ts';
import { serialsChoices } from './choices.ts';
import { serialsDelete } from './delete.ts';
import { serialsDeleteGroup } from './delete-group.ts';
import { serialsDemo } from './demo.ts';
import { serialsExport } from './export.ts';
import { serialsExtend } from './extend.ts';
import { serialsGenerate } from './generate.ts';
import { serialsGet } from './get.ts';
import { serialsGroup } from './group.ts';
import { serialsHistory } from './history.ts';
import { serialsImport } from './import.ts';
import { serialsList } from './list.ts';
import { serialsReassign } from './reassign.ts';
import { serialsRedeemed } from './redeemed.ts';
import { serialsRefresh } from './refresh.ts';
import { serialsResend } from './resend.ts';
import { serialsRevoke } from './revoke.ts';
import { serialsRevokeBatch } from './revoke-batch.ts';
import { serialsSeats } from './seats.ts';
import { serialsStockChoices } from './stock-choices.ts';
import { serialsTransfer } from './transfer.ts';
import { serialsUndo } from './undo.ts';
import { serialsWatch } from './watch.ts';

export const serials: Noun = {
  name: 'serials',
  about: 'Generate, import, export, revoke and watch serials',
  commands: [
    serialsGenerate,
    serialsList,
    serialsAvailable,
    serialsRedeemed,
    serialsChoices,
    serialsChangeRedeemed,
    serialsStockChoices,
    serialsChangeMatching,
    serialsUndo,
    serialsRevoke,
    serialsReassign,
    serialsDelete,
    serialsRefresh,
    serialsGet,
    serialsHistory,
    serialsExport,
    serialsGroup,
    serialsDeleteGroup,
    serialsBatches,
    serialsBatchChoices,
    serialsBatch,
    serialsRevokeBatch,
    serialsExtend,
    serialsImport,
    serialsDemo,
    serialsWatch,
    serialsSeats,
    serialsResend,
    serialsTransfer,
  ],
};
