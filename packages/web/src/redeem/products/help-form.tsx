import type { ProductCard } from '@tonerow/sdk';
import { useEffect, useId, useRef, useState } from 'react';
import { fill } from '#lib/redeem-texts/words.ts';
import { requestHelp } from '../api.ts';
import { isCode } from '../explain.ts';
import { Refused, useSubmit } from '../steps/use-submit.ts';
import { useWords } from '../words.tsx';
import { helpMessage } from './help.ts';

interface Props {
  product: ProductCard;
  token: string;
  /** The developer's name; null when no brand could be loaded. */
  to: string | null;
}

const LONGEST = 2000;

/** A message that we pass on to a developer who has published no address. */
export function HelpForm({ product, token, to }: Props) {
  const { t } = useWords();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState(false);
  const [typed, setTyped] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const message = typed ?? helpMessage(product, t);
  const { busy, error, submit, changed } = useSubmit(async (key) => {
    if (message.trim() === '') {
      field.current?.focus();
      throw new Refused(t.messageNeeded);
    }
    try {
      await requestHelp({ download_token: token, serial: product.serial_code, message: message.trim() }, key);
    } catch (failure) {
      if (isCode(failure, 'rate_limited')) throw new Refused(t.helpTooMany);
      throw failure;
    }
    setSent(true);
  }, t.helpFailed);

  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);

  if (sent) {
    return (
      <p className="said" role="status">
        {t.helpSent}
      </p>
    );
  }
  if (!open) {
    return (
      <button type="button" className="help" onClick={() => setOpen(true)}>
        {t.requestHelp}
      </button>
    );
  }
  return (
    <form className="help-form" onSubmit={submit} noValidate>
      <label htmlFor={id}>{t.message}</label>
      <textarea
        id={id}
        ref={field}
        rows={6}
        maxLength={LONGEST}
        value={message}
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          setTyped(event.target.value);
          changed();
        }}
      />
      <p className="note" id={`${id}-note`}>
        {to ? fill(t.helpTo, { name: to }) : t.helpToMaker}
      </p>
      <p className="alert" role="alert">
        {error}
      </p>
      <button type="submit" className="help" disabled={busy}>
        {busy ? t.sending : t.sendMessage}
      </button>
    </form>
  );
}
