import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatBytes } from '#lib/format/sizes.ts';
import type { StoredFile } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';
import { forgetUnfinished, unfinishedQuery } from './stored-file-query.ts';
import { discardUpload } from './upload-file.ts';
import type { RunningUpload } from './use-uploads.ts';

/** Uploads that an earlier visit left incomplete: choosing the same file again resumes them. */
export function UnfinishedUploads({ running }: { running: RunningUpload[] }) {
  // Optional: the form works without it when it can't be loaded.
  const list = useQuery(unfinishedQuery);
  const files = list.data?.filter((file) => !running.some((item) => item.id === file.id)) ?? [];
  if (files.length === 0) return null;
  return (
    <ul aria-label="Unfinished uploads" className="flex flex-col gap-2">
      {files.map((file) => (
        <UnfinishedRow key={file.id} file={file} />
      ))}
    </ul>
  );
}

function UnfinishedRow({ file }: { file: StoredFile }) {
  const queryClient = useQueryClient();
  const discard = useMutation({
    mutationFn: () => discardUpload(file.id),
    onSuccess: () => forgetUnfinished(queryClient, file.id),
    onError: (error) => notify.error("The unfinished upload couldn't be discarded.", error),
  });
  return (
    <li className="flex items-center justify-between gap-3 rounded-md border border-dashed border-line-strong py-2 pr-2 pl-3 text-sm">
      <span className="figures min-w-0 text-muted">
        <span className="font-medium wrap-anywhere text-text">{file.name}</span> stopped at {formatBytes(file.received)}{' '}
        of {formatBytes(file.size)}. Choose it again to resume.
      </span>
      <Button size="sm" variant="ghost" busy={discard.isPending} onClick={() => discard.mutate()}>
        Discard<span className="sr-only"> the upload of {file.name}</span>
      </Button>
    </li>
  );
}
