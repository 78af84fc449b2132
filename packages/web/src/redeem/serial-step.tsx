import type { RedemptionResult } from '@tonerow/sdk';
import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react';
import { initiate, RedeemError } from '../lib/redeem-api.ts';
import { caretAfter, formatCode } from './code-format.ts';
import { Field } from './field.tsx';
import { Heading } from './heading.tsx';
import { messages as t } from './messages.ts';
import { rememberedToken } from './storage.ts';
import { useSubmit } from './use-submit.ts';

interface Props {
  serial: string;
  email: string;
  dev: string | undefined;
  onTicket: (ticket: string) => void;
  /** False when the answer holds no downloads. */
  onDone: (result: RedemptionResult) => boolean;
}

const texts = { offline: t.offline, failed: t.failed, unexpected: t.unexpected };

export function SerialStep({ serial: givenSerial, email: givenEmail, dev, onTicket, onDone }: Props) {
  const [serial, setSerial] = useState(formatCode(givenSerial));
  const [email, setEmail] = useState(givenEmail);
  const [missing, setMissing] = useState<{ serial?: string; email?: string }>({});
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(null);

  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const { busy, error, submit, changed } = useSubmit(async (key) => {
    const gaps = {
      ...(serial.trim() === '' ? { serial: t.serialNeeded } : {}),
      ...(/^\S+@\S+\.\S+$/.test(email.trim()) ? {} : { email: t.emailNeeded }),
    };
    setMissing(gaps);
    if (Object.keys(gaps).length > 0) return;
    const download_token = rememberedToken() ?? undefined;
    const result = await initiate({ serial: serial.trim(), email: email.trim(), dev, download_token }, key, texts);
    if (result.require_name && result.temp_token) onTicket(result.temp_token);
    else if (!onDone(result)) throw new RedeemError(t.unexpected);
  }, t.failed);

  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = event.target;
    const next = formatCode(value);
    caret.current = caretAfter(value, selectionStart ?? value.length, next);
    setSerial(next);
    changed();
  };

  return (
    <form onSubmit={submit} noValidate>
      <Heading title={t.title} intro={t.intro} focus={false} />
      <Field
        ref={input}
        label={t.serial}
        hint={t.serialHint}
        error={missing.serial}
        className="code"
        value={serial}
        onChange={type}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={200}
      />
      <Field
        label={t.email}
        hint={t.emailHint}
        error={missing.email}
        type="email"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          changed();
        }}
        placeholder="you@example.com"
        autoComplete="email"
        inputMode="email"
        enterKeyHint="go"
        maxLength={254}
      />
      <p className="alert" role="alert">
        {error}
      </p>
      <button type="submit" className="main" disabled={busy}>
        {busy ? t.checking : t.continue}
      </button>
    </form>
  );
}
