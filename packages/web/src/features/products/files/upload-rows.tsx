import { FileUp, Pause, Play, X } from 'lucide-react';
import { formatBytes, formatTimeLeft } from '#lib/format/sizes.ts';
import { IconButton } from '#ui/button.tsx';
import { UploadBar } from '#ui/forms/upload-bar.tsx';
import type { RunningUpload, Uploads } from './use-uploads.ts';

/** Unfinished uploads, each with its progress and actions. */
export function UploadRows({ uploads }: { uploads: Uploads }) {
  if (uploads.items.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="flex flex-col gap-2">
      {uploads.items.map((item) => (
        <UploadRow key={item.key} item={item} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadRow({ item, uploads }: { item: RunningUpload; uploads: Uploads }) {
  const { file, sent, state, key } = item;
  const fraction = sent / file.size;
  const going = state === 'running' || state === 'waiting';
  return (
    <li className="flex items-center gap-3 rounded-md border border-line bg-sunken py-2.5 pr-2 pl-3">
      <FileUp className="size-[18px] shrink-0 text-muted" strokeWidth={1.7} aria-hidden />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate font-medium" title={file.name}>
            {file.name}
          </span>
          <span className="figures shrink-0 text-sm font-medium">{Math.floor(fraction * 100)}%</span>
        </div>
        <UploadBar
          value={fraction}
          label={`Upload of ${file.name}`}
          quiet={state !== 'running'}
          className="mt-1.5 bg-line"
        />
        <p className="figures mt-1.5 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {formatBytes(sent)} of {formatBytes(file.size)}
          </span>
          <Progress item={item} />
        </p>
      </div>
      <div className="flex">
        {going ? (
          <IconButton label={`Pause the upload of ${file.name}`} onClick={() => uploads.pause(key)}>
            <Pause aria-hidden />
          </IconButton>
        ) : (
          <IconButton label={`Resume the upload of ${file.name}`} onClick={() => uploads.resume(key)}>
            <Play aria-hidden />
          </IconButton>
        )}
        <IconButton label={`Cancel the upload of ${file.name}`} onClick={() => uploads.cancel(key)}>
          <X aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}

function Progress({ item }: { item: RunningUpload }) {
  if (item.state === 'paused') return <span>Paused</span>;
  if (item.state === 'waiting') return <span>Waiting for the connection</span>;
  if (item.state === 'failed') return <span className="text-bad">{item.problem}</span>;
  if (item.sent >= item.file.size) return <span>Finishing</span>;
  if (!item.speed) return <span>Uploading</span>;
  return (
    <>
      <span>{formatBytes(item.speed)}/s</span>
      <span>{formatTimeLeft((item.file.size - item.sent) / item.speed)}</span>
    </>
  );
}
