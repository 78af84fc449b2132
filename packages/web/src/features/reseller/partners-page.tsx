import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useTitle } from '../../lib/hooks.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Invitation, InviteDialog } from '../../widgets/invite-dialog.tsx';
import { SentInvites } from '../../widgets/sent-invites.tsx';

const send = ({ email, message }: Invitation) => api.inviteDeveloper({ body: { email, message } });

/** Where a reseller asks developers to become partners. */
export function PartnersPage() {
  useTitle('Developers Hub');
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHeader title="Developers Hub">The developers whose plugins you sell.</PageHeader>
      <Panel>
        <Empty
          title="Invite a developer"
          action={
            <Button variant="primary" onClick={() => setInviting(true)}>
              Invite Developer
            </Button>
          }
        >
          Ask a developer by email to let you sell their plugins. Profiles of your partners are coming soon.
        </Empty>
      </Panel>
      <SentInvites />
      <InviteDialog open={inviting} onOpenChange={setInviting} title="Invite Developer" send={send} />
    </>
  );
}
