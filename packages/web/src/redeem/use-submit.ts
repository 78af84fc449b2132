import { type FormEvent, useRef, useState } from 'react';
import { newKey, RedeemError } from '../lib/redeem-api.ts';

/** One submission at a time, under one key until it succeeds or is changed, so that nothing is sent twice. */
export function useSubmit(send: (key: string) => Promise<void>, fallback: string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const running = useRef(false);
  const key = useRef<string>(undefined);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(undefined);
    key.current ??= newKey();
    try {
      await send(key.current);
      key.current = undefined;
    } catch (failure) {
      // without an answer the same request may be repeated; after a refusal the next one is another
      if (failure instanceof RedeemError && failure.status !== undefined) key.current = undefined;
      setError(failure instanceof Error && failure.message !== '' ? failure.message : fallback);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const changed = () => {
    key.current = undefined;
    setError(undefined);
  };
  return { busy, error, submit, changed };
}
