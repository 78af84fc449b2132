import { useRef, useState } from 'react';
import { requestMyProducts } from '../api.ts';
import { Heading } from '../heading.tsx';
import { useWords } from '../words.tsx';
import { isEmail } from './email.ts';
import { EmailField } from './email-field.tsx';
import { focusFault } from './field.tsx';
import { useSubmit } from './use-submit.ts';

/** The purpose of the link. */
export type Why = 'products' | 'computer' | 'plugin';

interface Props {
  why: Why;
  email: string;
  onEmail: (email: string) => void;
  dev: string | undefined;
  onBack: () => void;
}

/** Emails a link to everything an address owns. The response never reveals whether it owns anything. */
export function FindStep({ why, email, onEmail, dev, onBack }: Props) {
  const { t, lang } = useWords();
  const intros = { products: t.findIntro, computer: t.freeIntro, plugin: t.deviceFindIntro };
  const [checked, setChecked] = useState(false);
  const [sent, setSent] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const { busy, error, submit, changed } = useSubmit(async () => {
    setChecked(true);
    if (!isEmail(email)) return focusFault(element.current);
    await requestMyProducts({ email: email.trim(), dev, language: lang });
    setSent(true);
  }, t.requestFailed);

  if (sent) {
    return (
      <>
        <Heading key="sent" title={t.sentTitle} intro={t.sent} />
        <p className="plain">{why === 'plugin' ? t.deviceSent : t.sentNote}</p>
        <button type="button" className="second" onClick={() => setSent(false)}>
          {t.anotherAddress}
        </button>
        <button type="button" className="quiet" onClick={onBack}>
          {t.enterSerial}
        </button>
      </>
    );
  }
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Heading key="ask" title={why === 'computer' ? t.freeComputer : t.find} intro={intros[why]} />
      <EmailField
        value={email}
        onChange={(next) => {
          onEmail(next);
          changed();
        }}
        error={checked && !isEmail(email) ? t.emailNeeded : undefined}
      />
      <p className="alert" role="alert">
        {error}
      </p>
      <button type="submit" className="main" disabled={busy}>
        {busy ? t.sending : t.findSubmit}
      </button>
      <button type="button" className="quiet" onClick={onBack}>
        {t.enterSerial}
      </button>
    </form>
  );
}
