import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Mail, MailPlus, StickyNote } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useAttempt } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { ShopOrder } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { Menu } from '#ui/menus/menu.tsx';
import { MenuItems } from '#ui/menus/row-menu.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { canEmail, questionOf } from './questions.ts';

/** Actions for an order as a whole. */
export function OrderActions({ order }: { order: ShopOrder }) {
  const queryClient = useQueryClient();
  const attempt = useAttempt();
  const [asked, ask] = useState<'address' | 'note' | null>(null);
  const { id, email, note } = order;
  const resend = useMutation({
    mutationFn: () =>
      attempt({ id, at: order.lines }, (idempotencyKey) => api.resendShopOrder({ path: { id } }, { idempotencyKey })),
    onSuccess: async () => {
      notify.success(`The codes are emailed to ${email ?? 'the customer'} again.`);
      await refreshAfter(queryClient, 'shopOrderChanged');
    },
    onError: (error) => notify.failed("The codes couldn't be emailed", error),
  });
  const open = (what: 'address' | 'note') => (next: boolean) => ask(next ? what : null);
  return (
    <>
      <Button onClick={() => resend.mutate()} busy={resend.isPending} disabled={!canEmail(order)}>
        <Mail className="-ml-0.5 size-4" aria-hidden />
        Email the codes again
      </Button>
      <Menu
        buttonClass="grid size-9 place-items-center rounded-md border border-line-strong bg-surface text-muted hover:bg-hover hover:text-text"
        face={
          <>
            <Ellipsis className="size-4" aria-hidden />
            <span className="sr-only">More for this order</span>
          </>
        }
      >
        <MenuItems
          items={[
            { icon: MailPlus, label: 'Change the email address', act: () => ask('address') },
            { icon: StickyNote, label: note ? 'Change the note' : 'Add a note', act: () => ask('note') },
          ]}
        />
      </Menu>
      <FormDialog
        open={asked === 'address'}
        onOpenChange={open('address')}
        title="Change the email address"
        description="Its codes are sent there from now on. A serial that is redeemed stays with its customer."
        values={{ email: email ?? '' }}
        check={({ email: typed }) => ({ email: !/^\S+@\S+$/.test(typed.trim()) && 'Enter a valid email address.' })}
        save={async ({ email: typed }) => {
          const changed = await api.updateShopOrder({ path: { id }, body: { email: typed.trim() } });
          notify.success('The address is changed.');
          refreshAfter(queryClient, 'shopOrderChanged');
          return changed;
        }}
        action="Save"
        failed="The address was not changed."
        verified
      >
        {({ register, error }) => (
          <Field label="Email address" error={error('email')}>
            {(control) => <Input {...control} {...register('email')} type="email" autoComplete="off" maxLength={300} />}
          </Field>
        )}
      </FormDialog>
      <FormDialog
        open={asked === 'note'}
        onOpenChange={open('note')}
        title="Your note"
        description="Only you see it."
        values={{ note: note ?? '' }}
        save={async ({ note: typed }) => {
          const changed = await api.updateShopOrder({ path: { id }, body: { note: typed.trim() || null } });
          refreshAfter(queryClient, 'shopOrderChanged');
          return changed;
        }}
        action="Save"
        failed="The note was not saved."
        guarded
      >
        {({ register, error }) => (
          <Field label="Note" optional error={error('note')}>
            {(control) => <Textarea {...control} {...register('note')} rows={4} maxLength={2000} />}
          </Field>
        )}
      </FormDialog>
    </>
  );
}

/** The question that an order asks its seller, with the answers. Orders without a question show nothing. */
export function OrderQuestion({ order }: { order: ShopOrder }) {
  const queryClient = useQueryClient();
  const [taking, setTaking] = useState(false);
  const question = questionOf(order);
  const decide = useMutation({
    mutationFn: (answer: 'keep' | 'take') => api.decideShopOrder({ path: { id: order.id }, body: { answer } }),
    onSuccess: async (_, answer) => {
      setTaking(false);
      notify.success(answer === 'take' ? 'Taken back.' : question === 'refund' ? 'The customer keeps it.' : 'Settled.');
      await refreshAfter(queryClient, 'shopOrderChanged');
    },
    onError: (error) => notify.failed("It couldn't be settled", error),
  });
  if (question === null) return null;
  return (
    <div className="mb-6 flex flex-wrap gap-2">
      {question === 'refund' || question === 'duplicate' ? (
        <>
          <Button onClick={() => decide.mutate('keep')} busy={decide.isPending}>
            {question === 'refund' ? 'Let the customer keep it' : 'These are two sales'}
          </Button>
          <Button variant="danger-outline" disabled={decide.isPending} onClick={() => setTaking(true)}>
            Take it back…
          </Button>
        </>
      ) : (
        <Button onClick={() => decide.mutate('keep')} busy={decide.isPending}>
          I have looked at it
        </Button>
      )}
      <Confirm
        open={taking}
        onOpenChange={setTaking}
        title={question === 'refund' ? 'Take back what was refunded?' : 'Take this order back?'}
        action="Take it back"
        busy={decide.isPending}
        onConfirm={() => decide.mutate('take')}
      >
        {question === 'duplicate' ? (
          <p>The customer keeps the serials of the other order. What was paid here counts as given back.</p>
        ) : null}
        <p>Its serials are revoked, and the customer’s plugins stop working at their next check.</p>
      </Confirm>
    </div>
  );
}

/** Works on a report again, such as one that came before something was mended here. */
export function ReplayButton({ orderId, deliveryId }: { orderId: string; deliveryId: string }) {
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => api.replayShopDelivery({ path: { id: orderId, delivery_id: deliveryId } }),
    onSuccess: async () => {
      notify.success('The report is worked on again.');
      await refreshAfter(queryClient, 'shopOrderChanged');
    },
    onError: (error) => notify.failed("It couldn't be worked on again", error),
  });
  return (
    <Button size="sm" variant="ghost" onClick={() => replay.mutate()} busy={replay.isPending}>
      Work on it again
    </Button>
  );
}
