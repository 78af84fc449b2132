import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sellSerialLanguage } from '@tonerow/sdk/values';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney } from '#lib/format/format.ts';
import { isRefusal, newReference, type Order, Outbox, SignedOut, type Waiting } from '#lib/outbox.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { saleQuery } from '#lib/queries/selling.ts';
import { queryClient } from '#lib/query.ts';
import { getAccount, getToken } from '#lib/session/session.ts';
import type { HandSale } from '#lib/types.ts';
import { notify } from '#ui/toast.ts';

/** So long one try may take: a customer is waiting. */
const PATIENCE_MS = 12_000;

let wake = () => {};

/** Ends early when the network comes back, or somebody asks for the next try. */
const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener('online', done);
    const others = wake;
    wake = () => {
      others();
      done();
    };
  });

/** Used where this browser stores nothing: the page keeps the orders for as long as it is open. */
const kept = new Map<string, string>();
const store = {
  getItem: (key: string) => kept.get(key) ?? localStorage.getItem(key),
  setItem(key: string, value: string) {
    try {
      localStorage.setItem(key, value);
      kept.delete(key);
    } catch {
      // full, or switched off
      kept.set(key, value);
    }
  },
  removeItem(key: string) {
    kept.delete(key);
    localStorage.removeItem(key);
  },
};

/** The seller's language, for a customer whose own is not known. */
export const emailLanguage = () =>
  sellSerialLanguage.find((each) => each === navigator.language.slice(0, 2).toLowerCase());

const outbox = new Outbox<HandSale>({
  send({ reference, product_id, price, email, note }) {
    const language = emailLanguage();
    const body = {
      product_id,
      reference,
      price,
      ...(email ? { email, ...(language ? { language } : {}) } : {}),
      ...(note ? { note } : {}),
    };
    return api.sellSerial({ body }, { timeoutMs: PATIENCE_MS });
  },
  store,
  key: () => {
    const account = getToken() ? getAccount() : null;
    return account ? `outbox.${account.id}` : null;
  },
  pause,
  answered(order, outcome) {
    refreshAfter(queryClient, 'sold');
    notifyOutcome(order, outcome);
  },
});

/** Orders whose answer has not come yet; those that an earlier page has left are sent again. */
export function useOutbox() {
  const waiting: readonly Waiting[] = useSyncExternalStore(outbox.subscribe, outbox.waiting);
  useEffect(() => outbox.resume(), []);
  const tryNow = () => {
    const next = wake;
    wake = () => {};
    next();
  };
  return { waiting, tryNow };
}

/** A reference that no sale has had. */
export const orderOf = (order: Omit<Order, 'reference'>): Order => ({
  ...order,
  reference: newReference(new Date(), crypto.getRandomValues(new Uint8Array(8))),
});

const notifyOutcome = (order: Order, outcome: { sale: HandSale } | { error: unknown }) => {
  const what = `${order.product_name} for ${formatMoney(order.price)}`;
  if ('sale' in outcome) notify.success(`Sold ${what}. Its code is in today’s list.`);
  else notify.error(`${what} was not sold.`, outcome.error);
};

/** Sells one code. It stays pending until it is known whether that was done; who has gone on meanwhile is told. */
export function useSell(onSold: (sale: HandSale) => void) {
  const client = useQueryClient();
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return useMutation({
    // an order goes into the outbox also where there is no network
    networkMode: 'always',
    mutationFn: (order: Order) => outbox.sell(order),
    onSuccess: (sale, order) => {
      client.setQueryData(saleQuery(sale.reference).queryKey, sale);
      refreshAfter(client, 'sold');
      if (shown.current) onSold(sale);
      else notifyOutcome(order, { sale });
    },
    onError: (error, order) => {
      if (error instanceof SignedOut || !isRefusal(error)) return;
      // the stock that is left, or its price, may have been wrong
      refreshAfter(client, 'sold');
      if (!shown.current) notifyOutcome(order, { error });
    },
  });
}
