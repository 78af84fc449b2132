import { useRef, useState } from 'react';
import { requestOrder } from '../api.ts';
import { Heading } from '../heading.tsx';
import { useWords } from '../words.tsx';
import { isEmail } from './email.ts';
import { EmailField } from './email-field.tsx';
import { Field, focusFault } from './field.tsx';
import { useSubmit } from './use-submit.ts';

export interface OrderForm {
  order: string;
  email: string;
}

interface Props {
  form: OrderForm;
  onForm: (form: OrderForm) => void;
  dev: string | undefined;
  onBack: () => void;
}

const LONGEST = 200;

/** Emails a link to the codes of an order. The response never reveals whether there is such an order. */
export function OrderStep({ form, onForm, dev, onBack }: Props) {
  const { t, lang } = useWords();
  const [checked, setChecked] = useState(false);
  const [sent, setSent] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const isNamed = form.order.trim() !== '';
  const { busy, error, submit, changed } = useSubmit(async () => {
    setChecked(true);
    if (!isNamed || !isEmail(form.email)) return focusFault(element.current);
    await requestOrder({ order: form.order.trim(), email: form.email.trim(), dev, language: lang });
    setSent(true);
  }, t.requestFailed);
  const change = (next: Partial<OrderForm>) => {
    onForm({ ...form, ...next });
    changed();
  };

  if (sent) {
    return (
      <>
        <Heading key="sent" title={t.sentTitle} intro={t.orderSent} />
        <p className="plain">{t.orderSentNote}</p>
        <button type="button" className="second" onClick={() => setSent(false)}>
          {t.orderAgain}
        </button>
        <button type="button" className="quiet" onClick={onBack}>
          {t.enterSerial}
        </button>
      </>
    );
  }
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Heading key="ask" title={t.orderTitle} intro={t.orderIntro} />
      <Field
        label={t.orderNumber}
        hint={t.orderHint}
        error={checked && !isNamed ? t.orderNeeded : undefined}
        name="order"
        value={form.order}
        onChange={(event) => change({ order: event.target.value })}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        maxLength={LONGEST}
        dir="ltr"
      />
      <EmailField
        value={form.email}
        onChange={(email) => change({ email })}
        error={checked && !isEmail(form.email) ? t.emailNeeded : undefined}
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
