import { useState } from 'react';
import { Heading } from '../heading.tsx';
import { Field } from '../steps/field.tsx';
import { useWords } from '../words.tsx';

interface Props {
  /** Why the last one was of no use. */
  notice: string | undefined;
  onCode: (code: string) => void;
  /** The same code was typed again. */
  onAgain: () => void;
}

/** Asks for a code, if none came with the address or no plugin waits with it. */
export function CodeForm({ notice, onCode, onAgain }: Props) {
  const { t } = useWords();
  const [typed, setTyped] = useState('');
  const [last, setLast] = useState('');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === '') return;
        if (typed === last) onAgain();
        setLast(typed);
        onCode(typed.trim());
      }}
    >
      <Heading title={t.deviceCodeTitle} intro={t.deviceCodeIntro} />
      <Field
        label={t.deviceCode}
        error={notice}
        className="code"
        name="code"
        value={typed}
        onChange={(event) => setTyped(event.target.value.slice(0, 40))}
        placeholder="XXXX-XXXX"
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        dir="ltr"
      />
      <button type="submit" className="main">
        {t.continue}
      </button>
    </form>
  );
}
