import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import { Tag } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';
import type { Branding } from '../branding-query.ts';
import { RemoveDomain } from './remove-domain.tsx';

const POLL = 20_000;
const MISSING = 'Domain not registered or not verified yet.';

const states = {
  verified: { tone: 'good', words: 'Verified', more: 'Your redemption page is live at this domain.' },
  registered: {
    tone: 'warn',
    words: 'Registered, awaiting verification',
    more: 'Add the record below. We check DNS every hour, and whenever you click the button.',
  },
  not_registered: { tone: 'plain', words: 'Not registered', more: MISSING },
} as const;

interface DomainStateProps {
  domain: string;
  state: Branding['domain_status'];
}

export function DomainState({ domain, state }: DomainStateProps) {
  const queryClient = useQueryClient();
  const refresh = () => refreshAfter(queryClient, 'domainChanged');
  useWaiting(domain, state === 'registered');

  const check = useMutation({
    mutationFn: async () => {
      const known = await api.getDomainStatus({ query: { domain } });
      // Registering it again triggers a DNS check right away.
      return known.registered && !known.verified ? api.setCustomDomain({ body: { domain } }) : known;
    },
    onSuccess: async ({ verified }) => {
      if (verified) notify.success('Domain verified.');
      else notify.error(MISSING);
      await refresh();
    },
    onError: (error) => notify.error('Failed to check domain status.', error),
  });

  const { tone, words, more } = states[state];
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-mono text-md font-medium text-wrap wrap-anywhere">{domain}</h3>
          <span role="status">
            <Tag tone={tone}>{words}</Tag>
          </span>
        </div>
        <p className="mt-1 text-sm text-muted">{more}</p>
      </div>
      <div className="flex gap-1.5">
        <Button size="sm" busy={check.isPending} onClick={() => check.mutate()}>
          Check Status
        </Button>
        <RemoveDomain domain={domain} onRemoved={refresh} />
      </div>
    </div>
  );
}

/** While DNS is slow, checks again at intervals as long as the screen is shown. */
function useWaiting(domain: string, waiting: boolean) {
  const queryClient = useQueryClient();
  const status = useQuery({
    ...q('getDomainStatus', { query: { domain } }),
    enabled: waiting,
    refetchInterval: POLL,
  });
  const arrived = waiting && status.data !== undefined && (status.data.verified || !status.data.registered);
  useEffect(() => {
    if (arrived) refreshAfter(queryClient, 'domainChanged');
  }, [arrived, queryClient]);
}
