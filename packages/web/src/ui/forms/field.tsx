import { CircleAlert, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { cn } from '../cn.ts';

interface ControlIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** A visual mark only; screen readers announce the other fields as required. */
  optional?: boolean;
  className?: string;
  children: (control: ControlIds) => ReactNode;
}

/** A label, its control, a hint and the message when something is wrong, tied together for screen readers. */
export function Field({ label, hint, error, optional = false, className, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = error ? errorId : hint ? hintId : undefined;
  return (
    <div className={cn('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className="flex items-baseline justify-between gap-3 text-sm font-medium">
        <span>{label}</span>
        {optional ? (
          <span className="text-xs font-normal text-faint" aria-hidden>
            Optional
          </span>
        ) : null}
      </label>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': error ? true : undefined,
        'aria-required': optional ? undefined : true,
      })}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
      {hint && !error ? (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** The mistake in a field, or in several that belong together. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-sm text-bad">
      <CircleAlert className="mt-[3px] size-3.5 shrink-0" aria-hidden />
      {children}
    </p>
  );
}

export const controlClass =
  'w-full min-w-0 rounded-md border border-control-line bg-surface px-3 text-base text-text transition-colors hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:outline-offset-1 aria-invalid:border-bad aria-invalid:bg-bad-soft disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted phone:text-md';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cn(controlClass, 'h-9', className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...rest} className={cn(controlClass, 'field-sizing-content min-h-20 py-2', className)} />;
}

export function DateInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  return <Input {...props} type="date" className={cn('figures', props.className)} />;
}

export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const label = shown ? 'Hide password' : 'Show password';
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-11" />
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-1 right-1 grid w-8 place-items-center rounded-sm text-muted hover:bg-hover hover:text-text"
      >
        {shown ? <EyeOff className="size-4" aria-hidden /> : <Eye className="size-4" aria-hidden />}
      </button>
    </div>
  );
}

/** An amount in dollars; the field shows the sign so that nobody types it. */
export function MoneyInput({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <div className="relative">
      <span className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-muted" aria-hidden>
        $
      </span>
      <Input inputMode="decimal" placeholder="0.00" {...rest} className={cn('figures pl-7', className)} />
    </div>
  );
}

export function Checkbox({
  label,
  hint,
  className,
  ...rest
}: ComponentProps<'input'> & { label: ReactNode; hint?: string }) {
  const id = useId();
  return (
    <div className={cn('flex items-start gap-2.5', className)}>
      <input id={id} {...rest} type="checkbox" className="mt-[3px] size-4 shrink-0 accent-(--accent)" />
      <label htmlFor={id} className="text-base">
        {label}
        {hint ? <span className="block text-sm text-muted">{hint}</span> : null}
      </label>
    </div>
  );
}
