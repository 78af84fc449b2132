import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Share2, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { api } from '#lib/api.ts';
import { formatChosen, formatMoney } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { HandSale } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { Notice } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { SendCode } from './later-forms.ts';

/** A sale: the code, large, with every way to hand it over, and the way back. */
export function SaleResult({ sale }: { sale: HandSale }) {
  const open = sale.state === 'handed_out';
  return (
    <div className="flex flex-col gap-5">
      <Standing sale={sale} />
      <div className="rounded-lg border border-line-strong bg-surface p-4 text-center">
        <p className="figures text-md text-text">
          <span className="wrap-anywhere">{sale.product_name ?? 'Deleted product'}</span> · {formatMoney(sale.price)}
        </p>
        <p className="mt-3 wrap-anywhere">
          {/* an imported code may have any length */}
          <SerialCode
            code={sale.code}
            className={sale.code.length > 24 ? 'text-md! whitespace-normal!' : 'text-[clamp(17px,5.4vw,24px)]!'}
          />
        </p>
        {sale.expires_at ? (
          <p className="mt-1.5 text-sm text-text">
            Redeem by {formatChosen(sale.expires_at, 'end', sale.developer_time_zone)}
          </p>
        ) : null}
        {open ? (
          <>
            <img
              src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(sale.qr_svg)}`}
              alt="QR code that opens the redemption page with this code"
              className="mx-auto mt-4 size-52 rounded-md bg-white"
            />
            <p className="mt-2 text-sm text-muted">The customer scans it, and redeems on their own phone.</p>
            <div className="mt-4 flex flex-wrap justify-center gap-2">
              <CopyButton text={sale.code} label="Copy code" />
              <CopyButton text={sale.redeem_url} label="Copy link" />
              <Share sale={sale} />
            </div>
          </>
        ) : null}
      </div>
      {open ? (
        // the code is there before what sends it
        <Suspense fallback={<span className="skeleton block h-[70px]" />}>
          <SendCode key={sale.reference} sale={sale} />
        </Suspense>
      ) : null}
      {sale.note ? <p className="text-sm wrap-anywhere text-muted">Note: {sale.note}</p> : null}
      {open ? <UndoSale sale={sale} /> : null}
    </div>
  );
}

function Standing({ sale }: { sale: HandSale }) {
  if (sale.state === 'redeemed') return <Notice tone="good">The customer has redeemed it.</Notice>;
  if (sale.state === 'returned')
    return <Notice tone="warn">This sale was undone. Its code may be another customer’s now.</Notice>;
  if (sale.state === 'revoked') return <Notice tone="bad">The developer has revoked this code.</Notice>;
  return null;
}

/** Hands the code to another app of the phone, where there is such a thing. */
function Share({ sale }: { sale: HandSale }) {
  if (typeof navigator.share !== 'function') return null;
  const share = async () => {
    try {
      await navigator.share({
        title: `Your code for ${sale.product_name}`,
        text: `Your code for ${sale.product_name}: ${sale.code}`,
        url: sale.redeem_url,
      });
    } catch (error) {
      // closing the phone's own sheet is no failure
      if ((error as Error).name !== 'AbortError') notify.error("Your browser couldn't share it. Copy it instead.");
    }
  };
  return (
    <Button size="sm" onClick={share}>
      <Share2 className="size-3.5" aria-hidden />
      Share
    </Button>
  );
}

function UndoSale({ sale }: { sale: HandSale }) {
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const undo = useMutation({
    mutationFn: () => api.returnDraw({ path: { reference: sale.reference }, body: {} }),
    onSuccess: ({ not_returned }) => {
      setAsking(false);
      refreshAfter(queryClient, 'drawReturned');
      if (not_returned.length === 0) notify.success('Sale undone. The code is back in stock.');
      else notify.error(`The code stays with the customer: it was ${not_returned[0]?.state}.`);
    },
    onError: (error) => {
      setAsking(false);
      notify.error("The sale couldn't be undone.", error);
    },
  });
  return (
    <div>
      <Button variant="danger-ghost" size="sm" onClick={() => setAsking(true)} className="-ml-3">
        <Undo2 className="size-3.5" aria-hidden />
        Undo sale
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Undo this sale?"
        action="Undo sale"
        busy={undo.isPending}
        onConfirm={() => undo.mutate()}
      >
        <p>
          The code goes back into stock and can be sold to somebody else.{' '}
          {sale.email
            ? 'It was emailed to the customer, who could still redeem it: undo the sale only if you are sure that they will not.'
            : 'Undo the sale only if nobody has seen the code, or could still redeem it.'}
        </p>
      </Confirm>
    </div>
  );
}
