import type { RedemptionResult } from '@tonerow/sdk';
import { type ChangeEvent, type ClipboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { initiate, RedeemError } from '../api.ts';
import { Heading } from '../heading.tsx';
import { useWords } from '../words.tsx';
import { caretAfter, formatCode } from './code-format.ts';
import { isEmail } from './email.ts';
import { EmailField } from './email-field.tsx';
import { Field, focusFault } from './field.tsx';
import { findCode, isEmailText, unwrapped } from './find-code.ts';
import { useSubmit } from './use-submit.ts';

interface Form {
  serial: string;
  email: string;
}

interface Props {
  form: Form;
  onForm: (form: Form) => void;
  dev: string | undefined;
  /** Its serials are kept. */
  token: string | undefined;
  notice: string | undefined;
  focus: boolean;
  onTicket: (ticket: string) => void;
  /** False when the response contains no downloads. */
  onDone: (result: RedemptionResult) => boolean;
  /** Omitted where products cannot be looked up by email. */
  onFind: (() => void) | undefined;
  onFindOrder: (() => void) | undefined;
}

const LONGEST = 200;

export function SerialStep({ form, onForm, dev, token, notice, focus, onTicket, onDone, onFind, onFindOrder }: Props) {
  const { t, lang } = useWords();
  const serial = formatCode(form.serial);
  const [checked, setChecked] = useState(false);
  const [found, setFound] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number>(null);

  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });

  const faults = {
    serial: checked && serial.trim() === '' ? t.serialNeeded : undefined,
    email: checked && !isEmail(form.email) ? t.emailNeeded : undefined,
  };

  const { busy, error, submit, changed } = useSubmit(async (key) => {
    setChecked(true);
    if (serial.trim() === '' || !isEmail(form.email)) return focusFault(element.current);
    const body = { serial: serial.trim(), email: form.email.trim(), dev, download_token: token, language: lang };
    const result = await initiate(body, key);
    if (result.require_name && result.temp_token) onTicket(result.temp_token);
    else if (!onDone(result)) throw new RedeemError('unexpected');
  }, t.failed);

  const change = (next: Partial<Form>) => {
    onForm({ ...form, ...next });
    changed();
  };

  /** Extracts the code from a pasted email, or from the text around it. */
  const take = (text: string): boolean => {
    const code = unwrapped(text) ?? (isEmailText(text) ? findCode(text) : null);
    setFound(code !== null);
    if (code !== null) change({ serial: formatCode(code) });
    return code !== null;
  };

  const paste = (event: ClipboardEvent) => {
    if (take(event.clipboardData.getData('text'))) event.preventDefault();
  };

  const type = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionStart } = event.target;
    // some keyboards insert the clipboard without a paste event
    if (value.length > serial.length + LONGEST / 4 && take(value)) return;
    const next = formatCode(value).slice(0, LONGEST);
    caret.current = caretAfter(value, selectionStart ?? value.length, next);
    setFound(false);
    change({ serial: next });
  };

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Heading title={t.title} intro={t.intro} focus={focus} />
      <Field
        ref={input}
        label={t.serial}
        hint={found ? t.serialFound : t.serialHint}
        error={faults.serial}
        className="code"
        name="serial"
        value={serial}
        onChange={type}
        onPaste={paste}
        placeholder="XXXX-XXXX-XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        inputMode="text"
        enterKeyHint="next"
        dir="ltr"
      />
      <EmailField value={form.email} onChange={(email) => change({ email })} hint={t.emailHint} error={faults.email} />
      <p className="alert" role="alert">
        {error ?? (busy ? undefined : notice)}
      </p>
      <button type="submit" className="main" disabled={busy}>
        {busy ? t.checking : t.continue}
      </button>
      {onFind ? (
        <p className="aside">
          {t.lost}{' '}
          <button type="button" className="link" onClick={onFind}>
            {t.find}
          </button>
        </p>
      ) : null}
      {onFindOrder ? (
        <p className="aside">
          {t.noEmail}{' '}
          <button type="button" className="link" onClick={onFindOrder}>
            {t.findOrder}
          </button>
        </p>
      ) : null}
    </form>
  );
}
