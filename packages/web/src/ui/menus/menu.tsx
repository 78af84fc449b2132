import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { cn } from '../cn.ts';
import { nextItem, type Typed } from './menu-keys.ts';

interface MenuProps {
  /** The name of the button, if it shows an image. */
  label?: string;
  /** A choice does not close it. */
  stay?: boolean;
  /** The edge of the button that it is aligned with. */
  side?: 'left' | 'right';
  onOpen?: () => void;
  /** The content of the round button. */
  face: ReactNode;
  buttonClass: string;
  children: ReactNode;
}

const GAP = 6;

/**
 * A button and the panel under it, or above it where there is no room. The browser's own popover: Escape and a click elsewhere
 * close it, and focus comes back. Arrow keys, Home, End and the first letters of an item move through it.
 */
export function Menu({ label, stay = false, side = 'right', onOpen, face, buttonClass, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const typed = useRef<Typed>({ text: '', at: 0 });
  const items = () => [...(panel.current?.querySelectorAll<HTMLElement>('a, input, button:not(:disabled)') ?? [])];
  const onKeys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items();
    const labels = all.map((item) => item.textContent ?? '');
    const current = all.indexOf(document.activeElement as HTMLElement);
    const next = nextItem(event.key, labels, current, typed.current, Date.now());
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };
  const place = () => {
    const box = button.current?.getBoundingClientRect();
    if (!box || !panel.current) return;
    const { offsetHeight: height } = panel.current;
    const below = box.bottom + GAP;
    const fits = below + height <= window.innerHeight;
    panel.current.style.top = `${fits ? below : Math.max(GAP, box.top - GAP - height)}px`;
    const room = document.documentElement.clientWidth;
    if (side === 'right') panel.current.style.right = `${room - box.right}px`;
    else panel.current.style.left = `${Math.max(GAP, Math.min(box.left, room - panel.current.offsetWidth - GAP))}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={label}
        onClick={() => {
          onOpen?.();
          requestAnimationFrame(place);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          if (!panel.current?.matches(':popover-open')) button.current?.click();
          items()
            .at(event.key === 'ArrowDown' ? 0 : -1)
            ?.focus();
        }}
        className={buttonClass}
      >
        {face}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className="fixed inset-auto m-0 min-w-52 rounded-lg border-0 bg-raised p-1.5 text-text shadow-overlay"
      >
        {/* A choice closes the menu. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the items inside are the controls. */}
        <div onClick={stay ? undefined : () => panel.current?.hidePopover()} onKeyDown={onKeys}>
          {children}
        </div>
      </div>
    </>
  );
}

/** The look of one line of a menu, for a link or a button. */
export const menuItemClass = cn(
  'flex h-9 w-full items-center gap-2.5 rounded-sm px-2.5 text-left text-base hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2',
  'disabled:cursor-not-allowed disabled:text-faint disabled:hover:bg-transparent [&_svg]:size-4 [&_svg]:text-muted',
);
