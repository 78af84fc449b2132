import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { createImport } from '@tonerow/sdk/routes';
import { useEffect, useRef, useState } from 'react';
import { formOf, upload } from '#lib/files/upload.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Button } from '#ui/button.tsx';
import { UploadBar } from '#ui/forms/upload-bar.tsx';
import { DropZone } from '#ui/import/drop-zone.tsx';
import { FormError } from '#ui/states.tsx';

/** Sends a file; the assistant opens with what was found in it. */
export function NewImport() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [fraction, setFraction] = useState(0);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const send = useMutation({
    mutationFn: (chosen: File) => {
      controller.current = new AbortController();
      // the same key for every try with this file: an answer that was lost is found again
      return upload(createImport, formOf(chosen), {
        headers: { 'idempotency-key': keyOf(chosen) },
        onProgress: setFraction,
        signal: controller.current.signal,
      });
    },
    onSuccess: ({ id }) => {
      refreshAfter(queryClient, 'importChanged');
      return navigate({ to: '/dashboard/imports/$importId', params: { importId: id } });
    },
  });
  const choose = (next: File | undefined) => {
    if (!next) return;
    setFile(next);
    setFraction(0);
    send.mutate(next);
  };
  const stopped = controller.current?.signal.aborted === true;
  if (send.isPending) {
    const percent = Math.floor(fraction * 100);
    return (
      <div className="flex min-h-32 flex-col justify-center gap-3 rounded-md border border-line px-5 py-5">
        <p className="figures text-sm text-muted" role="status">
          {fraction < 1 ? `Sending ${file?.name ?? 'the file'}, ${percent} percent` : 'Finding out what is in it'}
        </p>
        <UploadBar value={fraction} label="Upload" />
        <Button size="sm" className="self-start" onClick={() => controller.current?.abort()}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <DropZone
        file={file}
        onFile={choose}
        accept=".csv,.tsv,.txt,.xlsx,.json,text/csv,application/json"
        label="File to import"
        words="Choose a file to import"
      />
      {send.isError && !stopped ? <FormError title="The file couldn't be read." error={send.error} /> : null}
    </div>
  );
}

const keys = new WeakMap<File, string>();

function keyOf(file: File): string {
  const key = keys.get(file) ?? crypto.randomUUID();
  keys.set(file, key);
  return key;
}
