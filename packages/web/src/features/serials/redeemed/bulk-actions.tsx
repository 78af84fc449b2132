import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { plural } from '#lib/format/format.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { RedeemedSerial } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import type { Picked } from '#ui/lists/list-frame.tsx';
import { notify } from '#ui/toast.ts';
import { MatchingChange } from '#widgets/serials/matching-change.tsx';
import { useUndoChange } from '#widgets/serials/use-undo-change.ts';
import type { RedeemedFilter } from '../list-filters.ts';
import { redeemedCsv } from './redeemed-csv.ts';

interface Order {
  action: 'revoke' | 'reassign';
  ids: string[];
}

const perCall = 1000;

interface BulkActionsProps {
  picked: Picked<RedeemedSerial>;
  filter: RedeemedFilter;
  exportAll: ReactNode;
}

/** Actions for the serials that were picked, or for all that match. */
export function BulkActions({ picked, filter, exportAll }: BulkActionsProps) {
  return picked.everything ? (
    <OnMatching filter={filter} exportAll={exportAll} onDone={picked.clear} />
  ) : (
    <OnPicked {...picked} />
  );
}

interface OnMatchingProps extends Omit<BulkActionsProps, 'picked'> {
  onDone: () => void;
}

function OnMatching({ filter, exportAll, onDone }: OnMatchingProps) {
  const [asked, setAsked] = useState<'revoke' | 'reassign' | 'reset_downloads' | null>(null);
  return (
    <>
      <Button size="sm" onClick={() => setAsked('revoke')}>
        Revoke
      </Button>
      <Button size="sm" onClick={() => setAsked('reassign')}>
        Reassign
      </Button>
      <Button size="sm" onClick={() => setAsked('reset_downloads')} className="max-sm:hidden">
        Reset downloads…
      </Button>
      {exportAll}
      <MatchingChange filter={queryOf(filter)} action={asked} onClose={() => setAsked(null)} onDone={onDone} />
    </>
  );
}

function OnPicked({ rows, clear }: Pick<Picked<RedeemedSerial>, 'rows' | 'clear'>) {
  const queryClient = useQueryClient();
  const offerUndo = useUndoChange();
  const change = useMutation({
    mutationFn: async ({ action, ids }: Order) => {
      const done = [];
      for (let at = 0; at < ids.length; at += perCall)
        done.push(await api.changeSerials({ body: { action, ids: ids.slice(at, at + perCall) } }));
      return done;
    },
    onSuccess: (done, { action }) => {
      clear();
      const act = action === 'revoke' ? 'Revoked' : 'Reassigned';
      return offerUndo((count) => `${act} ${plural(count, 'serial')}. No money moved.`, done);
    },
    onError: (error, { ids }) => {
      notify.error(`Error trying to revoke or reassign ${plural(ids.length, 'serial')}.`, error);
      // some of them may have been changed before it failed
      refreshAfter(queryClient, 'serialsChangeFailed');
    },
  });
  const active = rows.filter((row) => !row.revoked).map((row) => row.id);
  const revoked = rows.filter((row) => row.revoked).map((row) => row.id);
  const save = () => saveFile('redeemed_serials.csv', [redeemedCsv(rows)]);
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
        <span>
          Export<span className="max-md:sr-only"> selected</span>
        </span>
      </Button>
    </>
  );
}
