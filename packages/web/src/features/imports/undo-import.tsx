import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { ImportSummary, ImportUndo } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { broughtWords, keptWords } from './words.ts';

interface UndoImportProps {
  of: ImportSummary;
  size?: 'sm' | 'md';
}

/** Takes an import back. It is tried first: what something was built on is named, and the rest is offered. */
export function UndoImport({ of: row, size = 'md' }: UndoImportProps) {
  const queryClient = useQueryClient();
  const [found, setFound] = useState<ImportUndo['kept'] | null>(null);
  const path = { id: row.id };
  const look = useMutation({
    mutationFn: () => api.undoImport({ path, query: { dry_run: true } }),
    onSuccess: ({ kept }) => setFound(kept),
    onError: (error) => notify.error("The import can't be taken back.", error),
  });
  const undo = useMutation({
    mutationFn: (rest: boolean) => api.undoImport({ path, query: { rest } }),
    onSuccess: () => {
      setFound(null);
      refreshAfter(queryClient, 'importChanged');
      notify.success(`${row.file_name} is being taken back.`);
    },
  });
  if (row.state !== 'complete' || row.dry_run) return null;
  const kept = found ?? [];
  const stays = kept.length > 0;
  const close = () => {
    setFound(null);
    undo.reset();
  };
  return (
    <>
      <Button size={size} variant="danger-outline" onClick={() => look.mutate()} busy={look.isPending}>
        <Undo2 className="-ml-0.5 size-4" aria-hidden />
        Take back
      </Button>
      <Confirm
        open={found !== null}
        onOpenChange={(open) => (open ? undefined : close())}
        title={stays ? `${row.file_name} can't be taken back whole` : `Take ${row.file_name} back?`}
        action={stays ? 'Take the rest back' : 'Take back'}
        busy={undo.isPending}
        onConfirm={() => undo.mutate(stays)}
      >
        {stays ? (
          <>
            <p>Something was built on a part of it since. That part stays:</p>
            <ul className="flex list-disc flex-col gap-1.5 pl-5">
              {kept.map(({ reason, count, examples }) => (
                <li key={reason}>
                  {keptWords({ reason, count }, row.kind)}
                  {examples.length > 0 ? (
                    <span className="block font-mono text-xs text-text">
                      {examples.slice(0, 3).join(', ')}
                      {count > Math.min(3, examples.length) ? ' …' : ''}
                    </span>
                  ) : null}
                </li>
              ))}
            </ul>
            <p>The rest can be taken back without it.</p>
          </>
        ) : (
          <p>
            {broughtWords(row)} that it added will be deleted, and serials that were in stock before return there. Your
            statistics are counted anew. The audit log keeps that it happened.
          </p>
        )}
        <FormError title="It couldn't be taken back." error={undo.error} />
      </Confirm>
    </>
  );
}
