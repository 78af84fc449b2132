import { ServerChange, type ServerChangeProps } from '#widgets/serials/server-change.tsx';

export type StockAction = 'revoke' | 'reassign' | 'delete';

const words: ServerChangeProps<StockAction>['words'] = {
  revoke: {
    act: 'Revoke',
    done: 'Revoked',
    explain: 'They can no longer be redeemed or used. You can reassign them later.',
  },
  reassign: { act: 'Reassign', done: 'Reassigned', explain: 'They work again at once.' },
  delete: {
    act: 'Delete',
    done: 'Deleted',
    explain: 'They are permanently deleted. Serials that customers redeemed or resellers handed out are kept.',
  },
};

type StockChangeProps = Pick<ServerChangeProps<StockAction>, 'action' | 'about' | 'run' | 'onClose' | 'onDone'>;

/** Changes unredeemed serials on the server, after showing how many would change. */
export const StockChange = (change: StockChangeProps) => (
  <ServerChange<StockAction>
    {...change}
    words={words}
    unknown="what is selected"
    operation="changeSerials"
    failed="Not all were changed. The list shows which ones were."
  />
);
