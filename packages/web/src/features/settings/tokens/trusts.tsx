import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Trust } from '#lib/types.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { trustsQuery } from './tokens-query.ts';
import { TrustForm } from './trust-form.tsx';

export function Trusts() {
  const list = useQuery(trustsQuery);
  const [creating, setCreating] = useState(false);
  const create = (
    <Button onClick={() => setCreating(true)}>
      <Plus className="-ml-1 size-4" aria-hidden />
      Add trust
    </Button>
  );
  return (
    <>
      <Panel>
        {list.isError ? (
          <Failed
            title="Trusts couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
            className="py-10"
          />
        ) : !list.data ? (
          <div role="status" className="flex flex-col gap-2.5 px-5 py-4">
            <span className="sr-only">Loading trusts</span>
            <span className="skeleton h-5 w-40" />
            <span className="skeleton h-4 w-64" />
          </div>
        ) : list.data.length === 0 ? (
          <Empty title="No trusts yet" action={create} className="py-10">
            Add one, and jobs of your repository need no access token.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {list.data.map((trust) => (
              <TrustRow key={trust.id} trust={trust} />
            ))}
          </ul>
        )}
      </Panel>
      {list.data?.length ? <div>{create}</div> : null}
      <TrustForm open={creating} onOpenChange={setCreating} />
    </>
  );
}

/** The jobs of a trust, in words: "GitHub repository 123456789 · branch main". */
function jobsOf({ provider, issuer, repository_id, branch, environment }: Trust): string {
  const where =
    provider === 'github'
      ? `GitHub repository ${repository_id}`
      : `Project ${repository_id} at ${new URL(issuer).host}`;
  return [where, branch && `branch ${branch}`, environment && `environment ${environment}`].filter(Boolean).join(' · ');
}

function TrustRow({ trust }: { trust: Trust }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [editing, setEditing] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.deleteTrust({ path: { id: trust.id } }),
    onSuccess: () => {
      refreshAfter(queryClient, 'trustsChanged');
      notify.success('Trust deleted.');
    },
    onError: (error) => notify.error('Failed to delete the trust.', error),
    onSettled: () => setAsking(false),
  });
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="min-w-0 font-medium wrap-anywhere">{trust.name}</h3>
        <p className="mt-1 text-sm text-muted wrap-anywhere">{jobsOf(trust)}</p>
        <p className="mt-1.5 flex flex-wrap gap-1">
          {trust.scopes.map((scope) => (
            <Tag key={scope} className="font-mono">
              {scope}
            </Tag>
          ))}
        </p>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 text-sm text-muted">
          <code className="font-mono wrap-anywhere">TONEROW_TRUST={trust.id}</code>
          <CopyButton text={trust.id} what="the trust’s id" />
        </p>
        <p className="mt-1.5 text-sm text-muted">
          {trust.last_used_at ? (
            <>
              Last used <TimeAgo iso={trust.last_used_at} />
            </>
          ) : (
            'Never used'
          )}
        </p>
      </div>
      <div className="flex gap-1">
        <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
          Edit<span className="sr-only"> {trust.name}</span>
        </Button>
        <Button size="sm" variant="danger-ghost" onClick={() => setAsking(true)}>
          Delete<span className="sr-only"> {trust.name}</span>
        </Button>
      </div>
      <TrustForm trust={trust} open={editing} onOpenChange={setEditing} />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this trust permanently?"
        action="Delete trust"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>Jobs that sign in by {trust.name} are refused from now on, and those that run stop working at once.</p>
      </Confirm>
    </li>
  );
}
