import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { describeError } from '../../lib/errors.ts';
import type { PluginKey } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Panel } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { notify } from '../../ui/toast.ts';
import { CreateKey } from './create-key.tsx';
import { keysQuery } from './keys-query.ts';

export function KeyManager({ onSecret }: { onSecret: (secret: string | null) => void }) {
  const list = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus className="-ml-1 size-4" aria-hidden />
      Create key
    </Button>
  );
  return (
    <section aria-labelledby="plugin-keys" className="mb-10">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="plugin-keys" className="font-semibold">
          Plugin keys
        </h2>
        {list.data?.length ? create : null}
      </div>
      <Panel>
        {list.isError ? (
          <Failed title="Failed to load keys" error={list.error} retry={list.refetch} retrying={list.isFetching} />
        ) : !list.data ? (
          <KeysSkeleton />
        ) : list.data.length === 0 ? (
          <Empty title="No plugin keys yet" action={create}>
            One key for all your plugins is enough to begin with. Make more to retire them separately.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {list.data.map((key) => (
              <KeyRow key={key.id} item={key} onSecret={onSecret} />
            ))}
          </ul>
        )}
      </Panel>
      <CreateKey open={creating} onOpenChange={setCreating} onSecret={onSecret} />
    </section>
  );
}

function KeyRow({ item, onSecret }: { item: PluginKey; onSecret: (secret: string | null) => void }) {
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const reveal = useMutation({
    mutationFn: () => api.revealPluginKey({ path: { id: item.id } }),
    onSuccess: ({ plaintext }) => {
      setSecret(plaintext);
      onSecret(plaintext);
    },
    onError: (error) => notify.error(`Couldn't fetch secret: ${describeError(error).message}`),
  });
  const remove = useMutation({
    mutationFn: () => api.deletePluginKey({ path: { id: item.id } }),
    onSuccess: () => {
      if (secret) onSecret(null);
      queryClient.setQueryData(keysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== item.id));
      notify.success('Key deleted.');
    },
    onError: (error) => notify.error(`Delete failed: ${describeError(error).message}`),
    onSettled: () => setAsking(false),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 font-medium break-words">{item.label}</h3>
          {item.isActive ? <Badge tone="good">Active</Badge> : <Badge>Inactive</Badge>}
        </div>
        <code className="mt-1 block font-mono text-sm break-all text-muted">{secret ?? item.hint}</code>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            Created <TimeAgo iso={item.createdAt} />
          </span>
          <span>
            {item.lastUsedAt ? (
              <>
                Last used <TimeAgo iso={item.lastUsedAt} />
              </>
            ) : (
              'Never used'
            )}
          </span>
        </p>
      </div>
      <div className="flex gap-1.5">
        {secret ? (
          <>
            <CopyButton text={secret} what={item.label} />
            <Button size="sm" onClick={() => setSecret(null)}>
              Hide
            </Button>
          </>
        ) : (
          <Button size="sm" onClick={() => reveal.mutate()} busy={reveal.isPending}>
            Reveal<span className="sr-only"> {item.label}</span>
          </Button>
        )}
        <Button size="sm" variant="danger-ghost" onClick={() => setAsking(true)}>
          Delete<span className="sr-only"> {item.label}</span>
        </Button>
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this key permanently? Existing builds using it may stop working."
        action="Delete key"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          {item.label}
          {item.lastUsedAt ? (
            <>
              , last used <TimeAgo iso={item.lastUsedAt} />
            </>
          ) : (
            ', never used'
          )}
        </p>
      </Confirm>
    </li>
  );
}

function KeysSkeleton() {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading keys</span>
      {[0, 1].map((row) => (
        <div key={row} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
          <div className="flex min-w-0 flex-1 basis-72 flex-col gap-2">
            <span className="skeleton h-[22px] w-40" />
            <span className="skeleton h-4 w-56" />
            <span className="skeleton h-4 w-48" />
          </div>
          <span className="skeleton h-8 w-36" />
        </div>
      ))}
    </div>
  );
}
