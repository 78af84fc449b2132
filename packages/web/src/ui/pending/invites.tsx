import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { withScheme } from '#lib/format/typed.ts';
import type { Invite } from '#lib/types.ts';
import { Button } from '../button.tsx';
import { Day } from '../time-ago.tsx';

export type InviteAnswer = 'accept' | 'reject';

interface InvitesProps {
  invites: Invite[];
  /** Resolves when the server has taken the answer; the invite stays when it has not. */
  onAnswer: (invite: Invite, answer: InviteAnswer) => Promise<void>;
}

export function PendingInvites({ invites, onAnswer }: InvitesProps) {
  if (invites.length === 0) return <p className="px-4 py-5 text-center text-muted">No pending invites</p>;
  return (
    <ul className="divide-y divide-line" aria-label="Pending invites">
      {invites.map((invite) => (
        <li key={invite.id}>
          <InviteCard invite={invite} onAnswer={(answer) => onAnswer(invite, answer)} />
        </li>
      ))}
    </ul>
  );
}

function InviteCard({ invite, onAnswer }: { invite: Invite; onAnswer: (answer: InviteAnswer) => Promise<void> }) {
  const [busy, setBusy] = useState<InviteAnswer | null>(null);
  const answer = async (choice: InviteAnswer) => {
    setBusy(choice);
    await onAnswer(choice).finally(() => setBusy(null));
  };
  return (
    <div className="flex gap-3 p-4">
      <Logo url={invite.logo_url} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{invite.company_name}</p>
        <p className="truncate text-sm text-muted">{invite.email}</p>
        {invite.website_url ? (
          <a
            href={withScheme(invite.website_url)}
            target="_blank"
            rel="noreferrer"
            className="block truncate rounded-sm text-sm text-accent-text hover:underline"
          >
            {invite.website_url}
          </a>
        ) : null}
        <p className="mt-0.5 text-sm text-muted">Commission: {invite.commission_rate}%</p>
        {invite.message ? (
          <p className="mt-0.5 line-clamp-3 text-sm wrap-anywhere whitespace-pre-line text-muted">{invite.message}</p>
        ) : null}
        <p className="mt-0.5 text-sm text-muted">
          Received: <Day iso={invite.created_at} />
        </p>
        <div className="mt-3 flex gap-2">
          <Button
            size="sm"
            variant="primary"
            busy={busy === 'accept'}
            disabled={busy !== null}
            onClick={() => answer('accept')}
          >
            Accept
          </Button>
          <Button size="sm" busy={busy === 'reject'} disabled={busy !== null} onClick={() => answer('reject')}>
            Reject
          </Button>
        </div>
      </div>
    </div>
  );
}

function Logo({ url }: { url: string | null }) {
  const [broken, setBroken] = useState(false);
  if (url && !broken) {
    return (
      <img
        src={url}
        alt=""
        onError={() => setBroken(true)}
        className="size-10 shrink-0 rounded-md bg-hover object-cover"
      />
    );
  }
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-md bg-hover text-muted">
      <Building2 className="size-5" aria-hidden />
    </span>
  );
}
