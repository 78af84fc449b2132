import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../cn.ts';

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A setting that is on or off: its label on the left, the switch on the right. */
export function Switch({ label, hint, className, ...rest }: SwitchProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className={cn('flex items-start justify-between gap-6', className)}>
      <div className="min-w-0">
        <label htmlFor={id} className="block font-medium">
          {label}
        </label>
        {hint ? (
          <p id={hintId} className="text-sm text-muted">
            {hint}
          </p>
        ) : null}
      </div>
      <span className="relative mt-0.5 inline-flex h-5 w-9 shrink-0">
        <input
          id={id}
          aria-describedby={hint ? hintId : undefined}
          {...rest}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox announces its own state.
          role="switch"
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full border border-control-line bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-60"
        />
        <span className="pointer-events-none absolute top-[3px] left-[3px] size-3.5 rounded-full bg-muted transition-[transform,background-color] duration-150 peer-checked:translate-x-4 peer-checked:bg-on-accent" />
      </span>
    </div>
  );
}
