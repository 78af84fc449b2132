import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney, toDollars } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { BillingStory, InvoiceState } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { storyQuery } from './queries.ts';

type Statement = BillingStory['statement'];
type Step = 'retry' | 'uncollectible' | 'void';

/** The states in which an admin may decide each. The server has the last word. */
const unpaid: readonly InvoiceState[] = ['rated', 'invoiced', 'open', 'failed', 'uncollectible'];
const allowed: Record<Step, readonly InvoiceState[]> = {
  retry: unpaid,
  uncollectible: unpaid.filter((state) => state !== 'uncollectible'),
  void: unpaid,
};

const calls: Record<Step, (id: string) => Promise<BillingStory>> = {
  retry: (id) => api.retryBillingStatement({ path: { id } }),
  uncollectible: (id) => api.giveUpBillingStatement({ path: { id } }),
  void: (id) => api.voidBillingStatement({ path: { id } }),
};

interface Words {
  title: string;
  action: string;
  done: string;
  /** What happens, in order. */
  means: string[];
}

function wordsOf(step: Step, { number, total_cents, email, attempts }: Statement): Words {
  const amount = formatMoney(toDollars(total_cents));
  if (step === 'retry') {
    return {
      title: `Charge ${amount} again?`,
      action: 'Try again',
      done: 'The charge is on its way.',
      means: [
        `The card that ${email} has on file is charged within moments. It is charge ${attempts + 1} of this invoice.`,
        'The developer gets an email about the result: a receipt, or why it failed.',
      ],
    };
  }
  if (step === 'uncollectible') {
    return {
      title: `Stop trying to collect ${amount}?`,
      action: 'Mark uncollectible',
      done: 'The invoice is uncollectible.',
      means: [
        'No card is charged again, and the invoice is uncollectible at Stripe too.',
        `${email} gets an email that it is still unpaid. The account, its serials and its customers are not affected.`,
        'You can still try again or void it later.',
      ],
    };
  }
  return {
    title: `Void invoice ${number}?`,
    action: 'Void invoice',
    done: 'The invoice is void.',
    means: [
      `Nothing is owed any more: ${amount} are given up for good, and the invoice is void at Stripe too.`,
      'The developer sees it as void and gets no email.',
      'This cannot be undone.',
    ],
  };
}

/** What an admin can decide about an invoice in its state, each after a question. */
export function StoryActions({ statement }: { statement: Statement }) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Step | null>(null);
  const [open, setOpen] = useState(false);
  const words = wordsOf(asked ?? 'retry', statement);
  const decide = useMutation({
    mutationFn: (step: Step) => calls[step](statement.id),
    onSuccess: async (story) => {
      setOpen(false);
      notify.success(words.done);
      queryClient.setQueryData(storyQuery(statement.id).queryKey, story);
      await refreshAfter(queryClient, 'billingDecided');
    },
  });
  const ask = (step: Step) => {
    decide.reset();
    setAsked(step);
    setOpen(true);
  };
  const can = (step: Step) => allowed[step].includes(statement.state);
  if (!can('retry')) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="primary" onClick={() => ask('retry')}>
        Try again
      </Button>
      {can('uncollectible') ? <Button onClick={() => ask('uncollectible')}>Uncollectible</Button> : null}
      <Button variant="danger-outline" onClick={() => ask('void')}>
        Void
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={words.title}
        action={words.action}
        busy={decide.isPending}
        plain={asked === 'retry'}
        {...(asked === 'void' ? { typed: statement.number } : {})}
        onConfirm={() => {
          if (asked) decide.mutate(asked);
        }}
      >
        <ul className="flex list-disc flex-col gap-1.5 pl-5 wrap-anywhere">
          {words.means.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>This is noted in the log with your account.</p>
        <FormError error={decide.error} />
      </Confirm>
    </div>
  );
}
