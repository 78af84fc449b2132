import { type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { ChangeRate } from './change-rate.tsx';
import { InviteReseller } from './invite-reseller.tsx';
import { MergeReseller } from './merge-reseller.tsx';
import { MessageReseller } from './message-reseller.tsx';
import { useResellerChange } from './use-reseller-change.ts';

type Asked = 'rate' | 'message' | 'invite' | 'merge' | 'pause' | 'resume' | 'end';

/** What a developer can do with a reseller in its present state. */
export function ResellerActions({ reseller }: { reseller: ResellerProfile }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (open: boolean) => {
    if (!open) setAsked(null);
  };
  const { status } = reseller;
  const hasPartnership = status === 'active' || status === 'paused';
  return (
    <>
      {status === 'named' ? (
        <Button variant="primary" onClick={() => setAsked('invite')}>
          Invite
        </Button>
      ) : null}
      {status === 'named' ? <Button onClick={() => setAsked('merge')}>Merge</Button> : null}
      {status === 'named' ? null : (
        <LinkButton to="/dashboard/payouts" search={{ tab: 'statements' }}>
          Statements
        </LinkButton>
      )}
      {status === 'ended' ? null : (
        <LinkButton to="/dashboard/payouts" search={{ tab: 'what-if', reseller: reseller.id }}>
          What if
        </LinkButton>
      )}
      {hasPartnership ? <Button onClick={() => setAsked('message')}>Message</Button> : null}
      {status === 'ended' || status === 'merged' ? null : <Button onClick={() => setAsked('rate')}>Change rate</Button>}
      {status === 'active' ? <Button onClick={() => setAsked('pause')}>Pause</Button> : null}
      {status === 'paused' ? <Button onClick={() => setAsked('resume')}>Resume</Button> : null}
      {hasPartnership ? (
        <Button variant="danger-outline" onClick={() => setAsked('end')}>
          End partnership
        </Button>
      ) : null}
      <ChangeRate reseller={reseller} open={asked === 'rate'} onOpenChange={close} />
      <MessageReseller reseller={reseller} open={asked === 'message'} onOpenChange={close} />
      <MergeReseller reseller={reseller} open={asked === 'merge'} onOpenChange={close} />
      <InviteReseller open={asked === 'invite'} onOpenChange={close} claim={reseller} />
      <Step
        open={asked === 'pause'}
        onOpenChange={close}
        title={`Pause ${reseller.company_name}?`}
        action="Pause"
        done="Partnership paused."
        run={() => api.pauseReseller({ path: { id: reseller.id } })}
      >
        The reseller no longer sees your products, deals and stock. Serials that are already out can be redeemed and
        earn commission. You can resume at any time.
      </Step>
      <Step
        open={asked === 'resume'}
        onOpenChange={close}
        title={`Resume ${reseller.company_name}?`}
        action="Resume"
        done="Partnership resumed."
        run={() => api.resumeReseller({ path: { id: reseller.id } })}
      >
        The reseller sees your products, deals and stock again.
      </Step>
      <Step
        open={asked === 'end'}
        onOpenChange={close}
        title={`End the partnership with ${reseller.company_name}?`}
        action="End partnership"
        typed={reseller.company_name}
        done="Partnership ended."
        run={() => api.endReseller({ path: { id: reseller.id } })}
      >
        Your data is hidden from the reseller at once. Past transactions and statements stay available to both of you,
        and serials that are already out earn {reseller.commission_rate}% when they are redeemed. To work together
        again, you have to send a new invitation.
      </Step>
    </>
  );
}

interface StepProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  action: string;
  done: string;
  typed?: string;
  run: () => Promise<ResellerProfile>;
  children: ReactNode;
}

function Step({ run, done, children, onOpenChange, ...question }: StepProps) {
  const step = useResellerChange(run, { done, onDone: () => onOpenChange(false) });
  return (
    <Confirm
      {...question}
      onOpenChange={(open) => {
        step.reset();
        onOpenChange(open);
      }}
      busy={step.isPending}
      onConfirm={() => step.mutate()}
    >
      <p>{children} The reseller is notified by email.</p>
      <FormError error={step.error} />
    </Confirm>
  );
}
