import type { ReactNode } from 'react';
import { useId } from 'react';
import { FieldError } from './field.tsx';

interface RadioChoicesProps<Choice extends string> {
  legend: ReactNode;
  /** Null: nothing is chosen yet. */
  value: Choice | null;
  onChange: (choice: Choice) => void;
  choices: readonly { value: Choice; label: string; hint?: string }[];
  error?: string | undefined;
}

/** One of a few, with a sentence for each. */
export function RadioChoices<Choice extends string>({ legend, value, ...its }: RadioChoicesProps<Choice>) {
  const name = useId();
  return (
    <fieldset aria-describedby={its.error ? `${name}-error` : undefined} className="flex min-w-0 flex-col gap-2.5">
      <legend className="mb-2 text-sm font-medium text-text">{legend}</legend>
      {its.choices.map((choice) => (
        <label key={choice.value} className="flex items-start gap-2.5">
          <input
            type="radio"
            name={name}
            checked={value === choice.value}
            onChange={() => its.onChange(choice.value)}
            className="mt-[3px] size-4 shrink-0 accent-(--accent)"
          />
          <span className="min-w-0 text-text">
            {choice.label}
            {choice.hint ? <span className="block text-sm text-muted">{choice.hint}</span> : null}
          </span>
        </label>
      ))}
      {its.error ? <FieldError id={`${name}-error`}>{its.error}</FieldError> : null}
    </fieldset>
  );
}
