import { type FormEvent, useRef, useState } from 'react';
import { newKey, RedeemError } from '../api.ts';
import { explain } from '../explain.ts';
import { useWords } from '../words.tsx';

/** The message shown before anything is sent. */
export class Refused extends Error {}

/** One submission at a time, under one key until it succeeds or is changed, so that nothing is sent twice. */
export function useSubmit(send: (key: string) => Promise<void>, fallback: string) {
  const words = useWords();
  const [busy, setBusy] = useState(false);
  // the raw error, so that its message follows a change of language
  const [failure, setFailure] = useState<unknown>();
  const running = useRef(false);
  const key = useRef<string>(undefined);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setFailure(undefined);
    key.current ??= newKey();
    try {
      await send(key.current);
      key.current = undefined;
    } catch (error) {
      // without a response the same request may be repeated; after a refusal the next one is new
      if (error instanceof RedeemError && error.status !== undefined) key.current = undefined;
      setFailure(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  const changed = () => {
    key.current = undefined;
    setFailure(undefined);
  };
  const message = failure instanceof Refused ? failure.message : explain(failure, words, fallback);
  return { busy, error: failure === undefined ? undefined : message, submit, changed };
}
