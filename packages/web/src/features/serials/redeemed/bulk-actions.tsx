import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { saveFile, toCsv } from '../../../lib/download.ts';
import { plural } from '../../../lib/format.ts';
import { refreshAfter } from '../../../lib/queries/refresh.ts';
import type { RedeemedSerial } from '../../../lib/types.ts';
import { Button } from '../../../ui/button.tsx';
import type { Selection } from '../../../ui/selection.tsx';
import { notify } from '../../../ui/toast.ts';
import { totalOf } from './redeemed-total.ts';

interface Order {
  action: 'revoke' | 'reassign';
  ids: string[];
}

const perCall = 1000;
const header = ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Product', 'Total'];

/** What can be done with the serials that were picked. */
export function BulkActions({ selection }: { selection: Selection<RedeemedSerial> }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: async ({ action, ids }: Order) => {
      let count = 0;
      for (let at = 0; at < ids.length; at += perCall) {
        const part = ids.slice(at, at + perCall);
        count += (await api.changeSerials({ body: { action, ids: part } })).count;
      }
      return count;
    },
    onSuccess: (count, { action, ids }) => {
      const revoked = action === 'revoke';
      selection.clear();
      refreshAfter(queryClient, 'serialsChanged');
      refreshAfter(queryClient, 'redeemedAskedFor');
      notify.success(`${revoked ? 'Revoked' : 'Reassigned'} ${plural(count, 'serial')}. No money moved.`, {
        undo: () => change.mutate({ action: revoked ? 'reassign' : 'revoke', ids }),
      });
    },
    onError: (error, { ids }) => {
      notify.error(`Error trying to revoke or reassign ${plural(ids.length, 'serial')}.`, error);
      // some of them may have been changed before it failed
      refreshAfter(queryClient, 'serialsChangeFailed');
    },
  });
  // Only those that change, so that Undo leaves the others as they were.
  const active = selection.rows.filter((row) => !row.revoked).map((row) => row.id);
  const revoked = selection.rows.filter((row) => row.revoked).map((row) => row.id);
  const save = () =>
    saveFile('redeemed_serials.csv', [
      toCsv(
        header,
        selection.rows.map((row) => [
          row.redeemed_at,
          row.first_name,
          row.last_name,
          row.email,
          row.code,
          row.product_name,
          totalOf(row)?.toFixed(2),
        ]),
      ),
    ]);
  const running = change.isPending ? change.variables.action : null;
  return (
    <>
      <Button
        size="sm"
        busy={running === 'revoke'}
        disabled={active.length === 0 || running !== null}
        onClick={() => change.mutate({ action: 'revoke', ids: active })}
      >
        Revoke<span className="sr-only"> selected</span>
      </Button>
      <Button
        size="sm"
        busy={running === 'reassign'}
        disabled={revoked.length === 0 || running !== null}
        onClick={() => change.mutate({ action: 'reassign', ids: revoked })}
      >
        Reassign<span className="sr-only"> selected</span>
      </Button>
      <Button size="sm" onClick={save}>
        Export<span className="max-md:sr-only"> selected</span>
      </Button>
    </>
  );
}
