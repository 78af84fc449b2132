import type { ProductCard } from '@tonerow/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { openProducts, RedeemError } from '../api.ts';
import { isCode } from '../explain.ts';
import { isOpen } from './blocked.ts';

/** The server has counted a click by the first of these times, unless the connection is slow. */
const RECOUNTS = [1500, 4000, 8000];
const LOOK_AGAIN = 30_000;

export const isBlocked = (card: ProductCard) => card.revoked || card.download_count >= card.download_limit;

export interface Products {
  cards: ProductCard[] | undefined;
  /** Why nothing could be shown at all. */
  failure: unknown;
  reload(): void;
  /** The file being requested, and its serial. */
  starting: { serial: string; file: number } | null;
  /** The error of the last download, and its serial. */
  trouble: { serial: string; error: unknown } | null;
  download(serial: string, file: number): Promise<void>;
}

/** The products that a download token opens, kept up to date. Calls `onInvalid` when the token is no longer valid. */
export function useProducts(
  token: string | null,
  initial: ProductCard[] | undefined,
  onInvalid: (error: unknown) => void,
): Products {
  const [cards, setCards] = useState(initial);
  const [failure, setFailure] = useState<unknown>();
  const [starting, setStarting] = useState<Products['starting']>(null);
  const [trouble, setTrouble] = useState<Products['trouble']>(null);
  const reading = useRef(false);
  const left = useRef(false);
  const invalid = useRef(onInvalid);
  invalid.current = onInvalid;

  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);

  const read = useCallback(async () => {
    const { products } = await openProducts(token ?? '');
    return products;
  }, [token]);

  const refresh = useCallback(async () => {
    if (token === null || reading.current || left.current) return;
    reading.current = true;
    try {
      setCards(await read());
      setFailure(undefined);
    } catch (error) {
      if (left.current) return;
      if (isCode(error, 'download_token_invalid')) invalid.current(error);
      // a failed background refresh leaves the page as it is
      else setFailure(error);
    } finally {
      reading.current = false;
    }
  }, [token, read]);

  const empty = cards === undefined;
  useEffect(() => {
    if (empty) void refresh();
  }, [empty, refresh]);

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void refresh();
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [refresh]);

  const waiting = cards?.some(isBlocked) ?? false;
  useEffect(() => {
    if (!waiting) return;
    // the developer may be resetting it right now
    const timer = setInterval(() => document.visibilityState === 'visible' && void refresh(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [waiting, refresh]);

  /** True once the server has counted more than before. */
  const recount = async (serial: string, before: number): Promise<boolean> => {
    for (const [index, at] of RECOUNTS.entries()) {
      await new Promise((done) => setTimeout(done, at - (RECOUNTS[index - 1] ?? 0)));
      const fresh = await read().catch(() => null);
      const card = fresh?.find((each) => each.serial_code === serial);
      if (left.current || !card) return true;
      if (card.download_count > before || isBlocked(card)) {
        setCards(fresh ?? undefined);
        return true;
      }
    }
    return false;
  };

  const download = async (serial: string, file: number) => {
    if (starting !== null) return;
    setStarting({ serial, file });
    setTrouble(null);
    let shown = cards ?? [];
    try {
      // links expire, and the developer may have revoked the serial meanwhile
      shown = await read();
      setCards(shown);
    } catch (error) {
      if (isCode(error, 'download_token_invalid')) return invalid.current(error);
      if (isCode(error, 'network')) return setTrouble({ serial, error });
    } finally {
      setStarting(null);
    }
    const card = shown.find((each) => each.serial_code === serial);
    const target = card?.files[file];
    if (!card || !target || !isOpen(card, target)) return;
    follow(target.url);
    // it is not counted again for now, so no count shows whether it came
    if (target.begun) return;
    setCards(shown.map((each) => (each === card ? { ...each, download_count: each.download_count + 1 } : each)));
    if (await recount(serial, card.download_count)) return;
    setTrouble({ serial, error: new RedeemError('unexpected') });
    void refresh();
  };

  return { cards, failure, reload: () => void refresh(), starting, trouble, download };
}

/** The link through the host the page is on, where a failed download stays off the screen. */
export function ownLink(link: string): string {
  const url = new URL(link, window.location.href);
  return `${url.pathname}${url.search}`;
}

function follow(link: string): void {
  const anchor = document.createElement('a');
  anchor.href = ownLink(link);
  // an error is then the browser's failed download and not a page of JSON in place of this one
  anchor.download = '';
  anchor.rel = 'noopener';
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}
