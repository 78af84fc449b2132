import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';
import { type GroupRef, groupInput } from './group-name.ts';

/** Deletes a whole group, including serials that a search hides: the dialog shows how many. */
export function DeleteGroup({ of, ...group }: GroupRef & { of: string | null }) {
  const { name } = group;
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  const input = groupInput(group);
  const check = useQuery({
    ...q('deleteSerialGroup', { ...input, query: { ...input.query, dry_run: true } }),
    enabled: asking,
    staleTime: 0,
    gcTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => api.deleteSerialGroup(input),
    onSuccess: async ({ count }) => {
      await refreshAfter(queryClient, 'groupDeleted');
      setAsking(false);
      notify.success(`${plural(count, 'serial')} deleted.`);
    },
    onError: (error) => notify.error('Failed to delete serial group.', error),
  });
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
        <Trash2 className="size-3.5" aria-hidden />
        Delete Group<span className="sr-only"> {name}</span>
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Are you sure you want to delete all serials in group ${name}?`}
        action="Delete Group"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p className="figures min-h-11">
          {of ? `Only those of ${of}. ` : null}
          {check.data
            ? `${plural(check.data.count, 'serial')} that nobody has redeemed ${check.data.count === 1 ? 'goes' : 'go'} for good.`
            : check.isError
              ? 'All unredeemed serials are permanently deleted.'
              : 'Counting the serials…'}{' '}
          Redeemed and revoked serials stay.
        </p>
      </Confirm>
    </>
  );
}
