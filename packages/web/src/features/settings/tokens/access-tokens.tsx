import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useAsked } from '#lib/keyboard/palette-requests.ts';
import { useAccount } from '#lib/session/session.ts';
import type { AccessToken } from '#lib/types.ts';
import { Badge, Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { CreateToken } from './create-token.tsx';
import { tokensQuery } from './tokens-query.ts';

export function AccessTokens() {
  const list = useQuery(tokensQuery);
  const [creating, setCreating] = useState(false);
  useAsked('create token', () => setCreating(true));
  const reseller = useAccount()?.is_reseller ?? false;
  const create = (
    <Button onClick={() => setCreating(true)}>
      <Plus className="-ml-1 size-4" aria-hidden />
      Create token
    </Button>
  );
  return (
    <>
      <Panel>
        {list.isError ? (
          <Failed
            title="Access tokens couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
            className="py-10"
          />
        ) : !list.data ? (
          <div role="status" className="flex flex-col gap-2.5 px-5 py-4">
            <span className="sr-only">Loading access tokens</span>
            <span className="skeleton h-5 w-40" />
            <span className="skeleton h-4 w-64" />
          </div>
        ) : list.data.length === 0 ? (
          <Empty title="No access tokens yet" action={create} className="py-10">
            {reseller
              ? 'Create one to draw codes from your shop without your password.'
              : 'Create one to generate serials from a script without your password.'}
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {list.data.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </ul>
        )}
      </Panel>
      {list.data?.length ? <div>{create}</div> : null}
      <CreateToken open={creating} onOpenChange={setCreating} />
    </>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.deleteAccessToken({ path: { id: token.id } }),
    onSuccess: () => {
      queryClient.setQueryData(tokensQuery.queryKey, (rows) => rows?.filter((row) => row.id !== token.id));
      notify.success('Token deleted.');
    },
    onError: (error) => notify.error('Failed to delete the token.', error),
    onSettled: () => setAsking(false),
  });
  const expired = token.expires_at !== null && new Date(token.expires_at) < new Date();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 font-medium wrap-anywhere">{token.name}</h3>
          <code className="font-mono text-sm text-muted">{token.hint}</code>
          {token.trust_id ? (
            <Badge tone="plain" means="A trust for CI gave it to a job, for 15 minutes.">
              Issued
            </Badge>
          ) : null}
          {expired && !token.trust_id ? (
            <Badge tone="warn" means="Calls with it are refused. Delete it, and create another.">
              Expired
            </Badge>
          ) : null}
        </div>
        <p className="mt-1.5 flex flex-wrap gap-1">
          {token.scopes.map((scope) => (
            <Tag key={scope} className="font-mono">
              {scope}
            </Tag>
          ))}
        </p>
        <p className="mt-1.5 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>
            {token.last_used_at ? (
              <>
                Last used <TimeAgo iso={token.last_used_at} />
              </>
            ) : (
              'Never used'
            )}
          </span>
          <span>
            {token.expires_at ? (
              <>
                {expired ? 'Expired' : 'Expires'} <TimeAgo iso={token.expires_at} />
              </>
            ) : (
              'Never expires'
            )}
          </span>
        </p>
      </div>
      <Button size="sm" variant="danger-ghost" onClick={() => setAsking(true)}>
        Delete<span className="sr-only"> {token.name}</span>
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete this token permanently?"
        action="Delete token"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>{token.trust_id ? 'The job that uses it stops' : `Scripts that use ${token.name} stop`} working at once.</p>
      </Confirm>
    </li>
  );
}
