import type { OpenedOrder } from '@tonerow/sdk';
import { useCallback, useEffect, useState } from 'react';
import { fill } from '#lib/redeem-texts/words.ts';
import { openOrder } from '../api.ts';
import { Heading } from '../heading.tsx';
import { Opening } from '../opening.tsx';
import { useWords } from '../words.tsx';
import { CodeLine } from './code-line.tsx';
import { DeadLink, isDeadLink } from './dead-link.tsx';

export interface OrderProps {
  /** The token from the email, held only by this page. */
  link: string;
  onRedeem: (code: string) => void;
  onAsk: () => void;
  onAnother: () => void;
}

/** The codes of an order, each to be redeemed. */
export function Order({ link, onRedeem, onAsk, onAnother }: OrderProps) {
  const { t } = useWords();
  const [order, setOrder] = useState<OpenedOrder>();
  const [failure, setFailure] = useState<unknown>();
  const open = useCallback(async () => {
    setFailure(undefined);
    try {
      setOrder(await openOrder(link));
    } catch (error) {
      setFailure(error);
    }
  }, [link]);
  useEffect(() => {
    void open();
  }, [open]);

  if (isDeadLink(failure)) return <DeadLink onAsk={onAsk} onAnother={onAnother} />;
  if (!order) return <Opening failure={failure} onRetry={open} onEnterSerial={onAnother} />;
  const intro = {
    ready: t.orderReady,
    partly: t.orderPartly,
    coming: t.orderComing,
    returned: t.orderReturned,
  }[order.state];
  return (
    <>
      <Heading title={fill(t.orderOpened, { order: order.order })} intro={intro} />
      {order.codes.length > 0 ? (
        <ul className="order-codes">
          {order.codes.map(({ code, product }) => (
            <li key={code}>
              <p className="order-product">{product}</p>
              <CodeLine code={code} />
              <button type="button" className="second" onClick={() => onRedeem(code)}>
                {t.orderRedeem}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <>
          {order.state === 'coming' ? (
            <button type="button" className="main" onClick={open}>
              {t.orderLook}
            </button>
          ) : null}
          <button type="button" className="quiet" onClick={onAnother}>
            {t.enterSerial}
          </button>
        </>
      )}
    </>
  );
}
