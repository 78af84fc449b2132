import type { InputHTMLAttributes, Ref } from 'react';
import { useId } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, hint, error, className, ...input }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={className}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...input}
      />
      {note ? (
        <p id={`${id}-note`} className={error ? 'note bad' : 'note'}>
          {note}
        </p>
      ) : null}
    </div>
  );
}

/** Focuses the first invalid field, so that a screen reader announces it and typing corrects it. */
export function focusFault(form: HTMLElement | null): void {
  // after the error has rendered
  requestAnimationFrame(() => form?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus());
}
