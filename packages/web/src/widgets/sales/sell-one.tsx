import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { SellForm } from './later-forms.ts';
import { SaleView } from './sale-view.tsx';
import { useOutbox } from './use-outbox.ts';

interface SellOneProps {
  /** The product to sell; without it the seller chooses one. */
  product?: { id: string; name: string };
  /** The product's price that is chosen at first. */
  price?: number;
  size?: 'sm' | 'md';
  primary?: boolean;
}

/** A button that sells one code by hand. */
export function SellOne({ product, price, size = 'md', primary = false }: SellOneProps) {
  const [open, setOpen] = useState(false);
  const [sold, setSold] = useState<string | null>(null);
  // continues orders that an earlier page has left without an answer
  useOutbox();
  const change = (next: boolean) => {
    setOpen(next);
    if (next) setSold(null);
  };
  return (
    <>
      <Button size={size} variant={primary ? 'primary' : 'secondary'} onClick={() => change(true)}>
        Sell one
        {product ? <span className="sr-only"> of {product.name}</span> : null}
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        title={sold ? 'Sold' : product ? `Sell one ${product.name}` : 'Sell one'}
        description={sold ? undefined : 'Takes one code out of stock. You collect the money.'}
      >
        <div className="mt-4">
          {sold ? (
            <>
              <SaleView reference={sold} />
              <div className="mt-5 flex justify-end gap-2">
                <Button onClick={() => setSold(null)}>Sell another</Button>
                <Button variant="primary" onClick={() => change(false)}>
                  Done
                </Button>
              </div>
            </>
          ) : (
            <SellForm product={product} price={price} onSold={setSold} onCancel={() => change(false)} />
          )}
        </div>
      </Dialog>
    </>
  );
}
