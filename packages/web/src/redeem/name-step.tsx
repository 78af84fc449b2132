import type { RedemptionResult } from '@tonerow/sdk';
import { useState } from 'react';
import { complete, RedeemError } from '../lib/redeem-api.ts';
import { Field } from './field.tsx';
import { Heading } from './heading.tsx';
import { messages as t } from './messages.ts';
import { useSubmit } from './use-submit.ts';

interface Props {
  ticket: string;
  onDone: (result: RedemptionResult) => boolean;
  onBack: () => void;
}

const texts = { offline: t.offline, failed: t.nameFailed, unexpected: t.unexpected };

export function NameStep({ ticket, onDone, onBack }: Props) {
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const { busy, error, submit, changed } = useSubmit(async (key) => {
    if (first.trim() === '' || last.trim() === '') throw new RedeemError(t.namesNeeded);
    const result = await complete({ temp_token: ticket, first_name: first.trim(), last_name: last.trim() }, key, texts);
    if (!onDone(result)) throw new RedeemError(t.nameUnexpected);
  }, t.nameFailed);

  return (
    <form onSubmit={submit} noValidate>
      <Heading title={t.nameTitle} intro={t.nameIntro} />
      <Field
        label={t.firstName}
        value={first}
        onChange={(event) => {
          setFirst(event.target.value);
          changed();
        }}
        autoComplete="given-name"
        enterKeyHint="next"
        maxLength={100}
      />
      <Field
        label={t.lastName}
        value={last}
        onChange={(event) => {
          setLast(event.target.value);
          changed();
        }}
        autoComplete="family-name"
        enterKeyHint="go"
        maxLength={100}
      />
      <p className="alert" role="alert">
        {error}
      </p>
      <button type="submit" className="main" disabled={busy}>
        {busy ? t.checking : t.submit}
      </button>
      <button type="button" className="quiet" onClick={onBack}>
        {t.back}
      </button>
    </form>
  );
}
