import type { ReactNode } from 'react';
import type { AccountArchive } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { UploadBar } from '#ui/forms/upload-bar.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { contentsOf, inWork, progressOf, shareOf } from './archive-words.ts';

/** One archive: how far it is, what is in it, or why there is none. */
export function ArchiveLine({ archive, children }: { archive: AccountArchive; children: ReactNode }) {
  const working = inWork(archive);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          {working ? 'Being made' : archive.state === 'failed' ? 'Not made' : 'Archive'}
          {archive.state === 'failed' ? <Tag tone="bad">Failed</Tag> : null}
        </h3>
        {working ? (
          <>
            <UploadBar value={shareOf(archive)} label="The archive" className="mt-2.5" />
            <p className="figures mt-2 text-sm text-muted">
              {progressOf(archive)}. You can leave this page; it goes on without it.
            </p>
          </>
        ) : archive.error ? (
          <p className="mt-1 text-sm wrap-anywhere text-bad">{archive.error}</p>
        ) : (
          <p className="figures mt-1 text-sm text-muted">{contentsOf(archive)}</p>
        )}
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {working ? 'Begun' : archive.state === 'failed' ? 'Tried' : 'Made'} <TimeAgo iso={archive.created_at} />
          </span>
          {archive.state === 'complete' && archive.expires_at ? (
            <span>
              Kept until <Day iso={archive.expires_at} />
            </span>
          ) : null}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}
