import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { ImportSummary } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';

interface DiscardImportProps {
  of: ImportSummary;
  size?: 'sm' | 'md';
  variant?: 'ghost' | 'secondary';
  onDone?: () => unknown;
}

/** Forgets a file that was read and not imported. */
export function DiscardImport({ of: row, size = 'md', variant = 'ghost', onDone }: DiscardImportProps) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const discard = useMutation({
    mutationFn: () => api.discardImport({ path: { id: row.id } }),
    onSuccess: async () => {
      setAsking(false);
      notify.success(`${row.file_name} was discarded.`);
      await onDone?.();
      await refreshAfter(queryClient, 'importChanged');
    },
    onError: (error) => notify.error("The file couldn't be discarded.", error),
  });
  return (
    <>
      <Button size={size} variant={variant} onClick={() => setAsking(true)}>
        Discard
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={`Discard ${row.file_name}?`}
        action="Discard"
        busy={discard.isPending}
        onConfirm={() => discard.mutate()}
      >
        <p>The file and what you have chosen for it are forgotten. Nothing of it was imported.</p>
      </Confirm>
    </>
  );
}
