import type { RedemptionResult } from '@tonerow/sdk';
import { useRef, useState } from 'react';
import { complete } from '../api.ts';
import { isCode } from '../explain.ts';
import { Heading } from '../heading.tsx';
import { useWords } from '../words.tsx';
import { Field } from './field.tsx';
import { Refused, useSubmit } from './use-submit.ts';

interface Props {
  ticket: string;
  onDone: (result: RedemptionResult) => boolean;
  onBack: () => void;
  /** The ticket was used or has expired. */
  onExpired: (error: unknown) => void;
}

export function NameStep({ ticket, onDone, onBack, onExpired }: Props) {
  const { t, lang } = useWords();
  const [name, setName] = useState({ first: '', last: '' });
  const element = useRef<HTMLFormElement>(null);
  const { busy, error, submit, changed } = useSubmit(async (key) => {
    const [first_name, last_name] = [name.first.trim(), name.last.trim()];
    if (first_name === '' || last_name === '') {
      element.current?.querySelector<HTMLInputElement>(`[name=${first_name ? 'last' : 'first'}_name]`)?.focus();
      throw new Refused(t.namesNeeded);
    }
    let result: RedemptionResult;
    try {
      result = await complete({ temp_token: ticket, first_name, last_name, language: lang }, key);
    } catch (failure) {
      if (isCode(failure, 'temp_token_invalid')) return onExpired(failure);
      throw failure;
    }
    if (!onDone(result)) throw new Refused(t.nameUnexpected);
  }, t.nameFailed);

  const field = (part: 'first' | 'last', label: string) => (
    <Field
      key={part}
      label={label}
      name={`${part}_name`}
      value={name[part]}
      onChange={(event) => {
        setName({ ...name, [part]: event.target.value });
        changed();
      }}
      autoComplete={part === 'first' ? 'given-name' : 'family-name'}
      autoCapitalize="words"
      autoCorrect="off"
      spellCheck={false}
      enterKeyHint="go"
      maxLength={100}
      dir="auto"
    />
  );
  const fields = [field('first', t.firstName), field('last', t.lastName)];

  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Heading title={t.nameTitle} intro={t.nameIntro} />
      {/* in Japan the family name comes first */}
      {lang === 'ja' ? fields.reverse() : fields}
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
