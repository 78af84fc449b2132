import type { MyProducts } from '@tonerow/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { fill } from '#lib/redeem-texts/words.ts';
import { openMyProducts } from '../api.ts';
import { explain, isCode } from '../explain.ts';
import { Heading } from '../heading.tsx';
import { Opening } from '../opening.tsx';
import { useWords } from '../words.tsx';
import { Cards } from './cards.tsx';
import { CustomerSwitch } from './customer-switch.tsx';
import { DeadLink, isDeadLink } from './dead-link.tsx';
import type { Support } from './help.ts';
import { Machines } from './machines.tsx';
import { Offline } from './offline.tsx';
import { useProducts } from './use-products.ts';

export interface OwnedProductsProps {
  /** The token from the email, held only by this page. */
  link: string;
  support: Support;
  onOpened: (token: string, who: string) => void;
  onAnother: () => void;
  onForget: () => void;
  onAsk: () => void;
  onInvalid: (error: unknown) => void;
}

/** Everything that an email address owns, with the computers that use it. */
export function OwnedProducts(props: OwnedProductsProps) {
  const { link, onOpened, onAnother, onAsk } = props;
  const [owned, setOwned] = useState<MyProducts>();
  const [failure, setFailure] = useState<unknown>();
  const opened = useRef(onOpened);
  opened.current = onOpened;

  const open = useCallback(async () => {
    setFailure(undefined);
    try {
      const answer = await openMyProducts(link);
      setOwned(answer);
      opened.current(answer.download_token, answer.email_hint);
    } catch (error) {
      setFailure(error);
    }
  }, [link]);

  useEffect(() => {
    void open();
  }, [open]);

  if (isDeadLink(failure)) return <DeadLink onAsk={onAsk} onAnother={onAnother} />;
  if (!owned) return <Opening failure={failure} onRetry={open} onEnterSerial={onAnother} />;
  return <Opened {...props} owned={owned} onStale={setFailure} onChanged={open} />;
}

interface OpenedProps extends OwnedProductsProps {
  owned: MyProducts;
  onStale: (error: unknown) => void;
  onChanged: () => Promise<void>;
}

function Opened({ owned, link, support, onAnother, onForget, onInvalid, onStale, onChanged }: OpenedProps) {
  const words = useWords();
  const { t } = words;
  const products = useProducts(owned.download_token, owned.products, onInvalid);
  const [note, setNote] = useState<{ serial: string; error: unknown } | { serial: string }>();

  const report = async (serial: string, error?: unknown) => {
    if (isCode(error, 'link_invalid')) return onStale(error);
    // a seat that is already gone is free
    setNote(error === undefined || isCode(error, 'not_found') ? { serial } : { serial, error });
    await onChanged();
  };

  const empty = products.cards?.length === 0;
  return (
    <>
      <Heading title={t.mineTitle} intro={empty ? t.empty : fill(t.mineIntro, { email: owned.email_hint })} />
      <Cards
        products={products}
        support={support}
        token={owned.download_token}
        below={(serial) => (
          <Machines
            machines={owned.machines[serial] ?? []}
            link={link}
            onFreed={() => report(serial)}
            onFailed={(error) => report(serial, error)}
          >
            <p role="status" className={note && 'error' in note ? 'said bad' : 'said'}>
              {note?.serial !== serial ? null : 'error' in note ? explain(note.error, words, t.freeFailed) : t.freed}
            </p>
            <Offline serial={serial} link={link} onMade={onChanged} onStale={onStale} />
          </Machines>
        )}
      />
      <CustomerSwitch who={owned.email_hint} onAnother={onAnother} onForget={onForget} />
    </>
  );
}
