import { createLink, type LinkComponent } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn.ts';
import { Mark } from './mark.tsx';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-outline' | 'danger-ghost';
type Size = 'sm' | 'md';

const base =
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none transition-colors duration-100 disabled:cursor-not-allowed aria-disabled:cursor-not-allowed [&_svg]:shrink-0';
const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover disabled:bg-hover disabled:text-faint',
  secondary:
    'border border-line-strong bg-raised text-text shadow-raised hover:bg-hover disabled:text-faint disabled:shadow-none',
  ghost: 'text-muted hover:bg-hover hover:text-text disabled:text-faint disabled:hover:bg-transparent',
  'danger-outline': 'border border-line-strong bg-raised text-bad shadow-raised hover:bg-bad-soft disabled:text-faint',
  'danger-ghost': 'text-bad hover:bg-bad-soft disabled:text-faint',
  danger: 'bg-bad-fill text-on-bad hover:opacity-90 disabled:bg-hover disabled:text-faint disabled:opacity-100',
};
const sizes: Record<Size, string> = { sm: 'h-8 px-3 text-sm', md: 'h-9 px-4 text-base' };

function buttonClass(variant: Variant = 'secondary', size: Size = 'md', className?: string) {
  return cn(base, variants[variant], sizes[size], className);
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant;
  size?: Size;
  /**
   * Whether what the button does is under way: disables it and plays the mark over its words, so that its width stays. A button
   * that can be busy acts once for a double click.
   */
  busy?: boolean;
}

export function Button({ variant, size, busy, className, children, disabled, onClick, ...rest }: ButtonProps) {
  const click: typeof onClick = (event) => {
    // the second click comes before the button is busy, or after a quick answer
    if (busy !== undefined && event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      onClick={click}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(variant, size, className)}
    >
      {busy ? (
        <>
          <span className="invisible inline-flex items-center gap-2">{children}</span>
          <Mark className="absolute h-3.5 text-text" playing />
          <span className="sr-only">Working</span>
        </>
      ) : (
        children
      )}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  children: ReactNode;
}

export function IconButton({ label, className, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={cn(
        'inline-grid size-8 shrink-0 place-items-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text disabled:cursor-not-allowed disabled:text-faint [&_svg]:size-4',
        className,
      )}
    >
      {children}
    </button>
  );
}

interface AnchorProps extends ComponentProps<'a'> {
  variant?: Variant;
  size?: Size;
}

function AnchorButton({ variant, size, className, ...rest }: AnchorProps) {
  return <a {...rest} className={buttonClass(variant, size, className)} />;
}

/** A link that looks like a button, for navigation; a `Button` is for actions. */
export const LinkButton: LinkComponent<typeof AnchorButton> = createLink(AnchorButton);

function PlainAnchor({ className, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      {...rest}
      className={cn(
        'font-medium text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current',
        className,
      )}
    />
  );
}

export const TextLink: LinkComponent<typeof PlainAnchor> = createLink(PlainAnchor);

function BackAnchor({ className, children, ...rest }: ComponentProps<'a'>) {
  return (
    <a
      {...rest}
      className={cn(
        'inline-flex items-center gap-1.5 rounded-sm text-sm font-medium text-muted hover:text-text',
        className,
      )}
    >
      <ArrowLeft className="size-4" aria-hidden />
      {children}
    </a>
  );
}

/** The link back to the list that a screen belongs to. */
export const BackLink: LinkComponent<typeof BackAnchor> = createLink(BackAnchor);
