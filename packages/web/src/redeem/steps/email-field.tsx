import { useWords } from '../words.tsx';
import { Field } from './field.tsx';

interface Props {
  value: string;
  onChange: (value: string) => void;
  hint?: string;
  error: string | undefined;
}

export function EmailField({ value, onChange, hint, error }: Props) {
  const { t } = useWords();
  return (
    <Field
      label={t.email}
      hint={hint}
      error={error}
      type="email"
      name="email"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder="you@example.com"
      autoComplete="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      inputMode="email"
      enterKeyHint="go"
      maxLength={254}
    />
  );
}
