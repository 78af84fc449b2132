import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import type { PayoutSide } from '#lib/queries/payouts.ts';
import type { PayoutDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { WordsDialog } from '#widgets/forms/form-dialog.tsx';
import { useSave } from '#widgets/lists/use-save.ts';
import { RecordPayment } from './record-payment.tsx';
import { usePayoutChange } from './use-payout-change.ts';

type Asked = 'dispute' | 'answer' | 'pay';

/** What either side can do with a statement in its present state, and its papers. */
export function PayoutActions({ side, payout }: { side: PayoutSide; payout: PayoutDetail }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (open: boolean) => {
    if (!open) setAsked(null);
  };
  const onDone = () => setAsked(null);
  const { id, status } = payout;
  const path = { id };
  const confirm = usePayoutChange(() => api.confirmPayout({ path }), { done: 'Statement confirmed.', onDone });
  const dispute = usePayoutChange((reason: string) => api.disputePayout({ path, body: { reason } }), {
    done: 'Statement disputed. The developer gets an email.',
    onDone,
  });
  const answer = usePayoutChange((text: string) => api.answerPayoutDispute({ path, body: { text } }), {
    done: 'Answer sent.',
    onDone,
  });
  const csv = useSave(`statement-${payout.number}.csv`, () =>
    side === 'reseller'
      ? api.stream.downloadPayoutCsv({ path }, { accept: 'text/csv' })
      : api.stream.downloadDeveloperPayoutCsv({ path }, { accept: 'text/csv' }),
  );
  const pdf = useSave(`statement-${payout.number}.pdf`, () =>
    side === 'reseller'
      ? api.stream.downloadPayoutPdf({ path }, { accept: 'application/pdf' })
      : api.stream.downloadDeveloperPayoutPdf({ path }, { accept: 'application/pdf' }),
  );
  const reseller = side === 'reseller';
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {reseller && (status === 'pending' || status === 'disputed') ? (
        <Button variant="primary" onClick={() => confirm.mutate()} busy={confirm.isPending}>
          {status === 'disputed' ? 'Withdraw and confirm' : 'Confirm'}
        </Button>
      ) : null}
      {reseller && (status === 'pending' || status === 'confirmed') ? (
        <Button onClick={() => setAsked('dispute')}>Dispute</Button>
      ) : null}
      {!reseller && status === 'disputed' ? (
        <Button variant="primary" onClick={() => setAsked('answer')}>
          Answer
        </Button>
      ) : null}
      {!reseller && payout.due > 0 && payout.outstanding > 0 ? (
        <Button variant={status === 'disputed' ? 'secondary' : 'primary'} onClick={() => setAsked('pay')}>
          Record payment
        </Button>
      ) : null}
      <Button onClick={() => csv.mutate()} busy={csv.isPending}>
        <Download className="size-4" aria-hidden />
        CSV
      </Button>
      <Button onClick={() => pdf.mutate()} busy={pdf.isPending}>
        <Download className="size-4" aria-hidden />
        PDF
      </Button>
      <Button onClick={() => window.print()}>
        <Printer className="size-4" aria-hidden />
        Print
      </Button>
      <WordsDialog
        open={asked === 'dispute'}
        onOpenChange={close}
        title={`Dispute statement ${payout.number}?`}
        description="The developer gets your reason by email and answers here. The figures stay; what has to change becomes a refund or a correction in a later month."
        label="What is wrong"
        missing="Enter what is wrong."
        action="Dispute"
        save={dispute.mutateAsync}
      />
      <WordsDialog
        open={asked === 'answer'}
        onOpenChange={close}
        title={`Answer about statement ${payout.number}`}
        description="The reseller gets your answer by email, and confirms the statement or disputes it again."
        label="Answer"
        missing="Enter an answer."
        action="Send answer"
        save={answer.mutateAsync}
      />
      <RecordPayment payout={payout} open={asked === 'pay'} onOpenChange={close} />
    </div>
  );
}
