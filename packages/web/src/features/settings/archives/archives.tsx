import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Archive, Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api, redirectedApi } from '#lib/api.ts';
import { openDownload } from '#lib/files/download.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import type { AccountArchive } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { ArchiveLine } from './archive-line.tsx';
import { inWork } from './archive-words.ts';
import { MakeArchive } from './make-archive.tsx';

const ASKED_EVERY = 1000;

/** Archives of everything in the account: those that are kept, and the one that is being made. */
export function Archives() {
  const list = useQuery({
    ...q('listAccountArchives'),
    refetchInterval: ({ state }) => (state.data?.archives.some(inWork) ? ASKED_EVERY : false),
  });
  const [making, setMaking] = useState(false);
  const rows = list.data?.archives;
  const working = rows?.some(inWork) ?? false;
  useEndOf(rows);
  const make = (
    <Button onClick={() => setMaking(true)} disabled={working}>
      <Archive className="-ml-0.5 size-4" aria-hidden />
      Make an archive
    </Button>
  );
  return (
    <>
      <Panel>
        {list.isError && !rows ? (
          <Failed
            title="Archives couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
            className="py-10"
          />
        ) : !rows ? (
          <div role="status" className="flex flex-col gap-2.5 px-5 py-4">
            <span className="sr-only">Loading archives</span>
            <span className="skeleton h-5 w-40" />
            <span className="skeleton h-4 w-64" />
          </div>
        ) : rows.length === 0 ? (
          <Empty title="No archive is kept" action={make} className="py-10">
            One file has every table as CSV and JSON Lines, your files and images, and the signing keys, sealed with a
            passphrase of yours.
          </Empty>
        ) : (
          <ul aria-label="Archives" className="divide-y divide-line">
            {rows.map((archive) => (
              <ArchiveLine key={archive.id} archive={archive}>
                <Acts archive={archive} again={working ? null : () => setMaking(true)} />
              </ArchiveLine>
            ))}
          </ul>
        )}
      </Panel>
      {rows?.length ? <div>{make}</div> : null}
      <MakeArchive open={making} onOpenChange={setMaking} />
    </>
  );
}

/** A message when the one that was being made has come to its end on this screen. */
function useEndOf(rows: AccountArchive[] | undefined) {
  const before = useRef<string>(undefined);
  useEffect(() => {
    if (!rows) return;
    const ended = rows.find(({ id }) => id === before.current);
    before.current = rows.find(inWork)?.id;
    if (ended?.state === 'complete') notify.success('The archive is ready.');
    else if (ended?.state === 'failed') notify.error('The archive was not made.');
  }, [rows]);
}

function Acts({ archive, again }: { archive: AccountArchive; again: (() => void) | null }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const path = { id: archive.id };
  const download = useMutation({
    mutationFn: async () => openDownload(await redirectedApi.stream.downloadAccountArchive({ path })),
    onError: (error) => notify.error("The archive couldn't be downloaded.", error),
  });
  const working = inWork(archive);
  const remove = useMutation({
    mutationFn: () => api.deleteAccountArchive({ path }),
    onSuccess: () => {
      notify.success(working ? 'Stopped.' : 'Archive deleted.');
      return refreshAfter(queryClient, 'archivesChanged');
    },
    onError: (error) => notify.error('Failed to delete the archive.', error),
    onSettled: () => setAsking(false),
  });
  if (working || archive.state === 'failed') {
    return (
      <>
        {archive.state === 'failed' && again ? (
          <Button size="sm" onClick={again}>
            Try again
          </Button>
        ) : null}
        <Button size="sm" variant="danger-ghost" onClick={() => remove.mutate()} busy={remove.isPending}>
          {working ? 'Stop' : 'Remove'}
        </Button>
      </>
    );
  }
  return (
    <>
      <Button size="sm" onClick={() => download.mutate()} busy={download.isPending}>
        <Download className="-ml-0.5 size-4" aria-hidden />
        Download
      </Button>
      <Button size="sm" variant="danger-ghost" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this archive?"
        action="Delete archive"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>What you downloaded stays yours. Another archive can be made at any time.</p>
      </Confirm>
    </>
  );
}
