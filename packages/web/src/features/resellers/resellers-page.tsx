import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useTitle } from '../../lib/hooks.ts';
import { resellersQuery } from '../../lib/queries/invites.ts';
import type { Reseller } from '../../lib/types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { type Invitation, InviteDialog } from '../../widgets/invite-dialog.tsx';
import { SentInvites } from '../../widgets/sent-invites.tsx';

/** The developer's resellers, and the invitations to more of them. */
export function ResellersPage() {
  useTitle('Resellers');
  const resellers = useQuery(resellersQuery);
  const [inviting, setInviting] = useState<{ claim: Reseller | null } | null>(null);
  const claim = inviting?.claim ?? null;
  const send = ({ email, message, rate }: Invitation) =>
    api.inviteResellers({
      body: { email, message, commission_rate: rate, ...(claim ? { partnership_id: claim.id } : {}) },
    });
  const inviteButton = (
    <Button variant="primary" onClick={() => setInviting({ claim: null })}>
      Invite reseller
    </Button>
  );
  return (
    <>
      <PageHeader title="Resellers" actions={resellers.data?.length ? inviteButton : null}>
        The shops that sell your plugins for a commission.
      </PageHeader>
      <Panel>
        {resellers.isError ? (
          <Failed
            title="Your resellers couldn't be loaded"
            error={resellers.error}
            retry={resellers.refetch}
            retrying={resellers.isFetching}
          />
        ) : !resellers.data ? (
          <div className="flex flex-col gap-3 p-5">
            <span className="skeleton h-5 w-64 max-w-full" />
            <span className="skeleton h-5 w-48" />
          </div>
        ) : resellers.data.length === 0 ? (
          <Empty title="No reseller partners found yet." action={inviteButton}>
            Invite a shop by email. It sells your serials once it accepts.
          </Empty>
        ) : (
          <ul className="divide-y divide-line" aria-label="Resellers">
            {resellers.data.map((reseller) => (
              <li key={reseller.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
                <div className="min-w-0 flex-1 basis-60">
                  <p className="truncate font-medium">{reseller.company_name}</p>
                  <p className="text-sm text-muted">{reseller.commission_rate} % commission</p>
                </div>
                {reseller.status === 'active' ? (
                  <Badge tone="good">Active</Badge>
                ) : reseller.status === 'paused' ? (
                  <Badge tone="warn">Paused</Badge>
                ) : (
                  <>
                    <Badge>No account yet</Badge>
                    <Button size="sm" onClick={() => setInviting({ claim: reseller })}>
                      Invite<span className="sr-only"> {reseller.company_name}</span>
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <SentInvites />
      <InviteDialog
        open={inviting !== null}
        onOpenChange={(open) => {
          if (!open) setInviting(null);
        }}
        title={claim ? `Invite ${claim.company_name}` : 'Invite reseller'}
        withRate
        send={send}
      />
    </>
  );
}
