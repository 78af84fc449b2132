import { type ReactNode, useEffect, useId, useRef } from 'react';

interface TooltipProps {
  content: ReactNode;
  /** Renders the element being explained; it must spread the given props. */
  children: (trigger: TriggerProps) => ReactNode;
}

interface TriggerProps {
  tabIndex: 0;
  'aria-describedby': string;
  onPointerEnter: (event: React.PointerEvent<HTMLElement>) => void;
  onPointerLeave: (event: React.PointerEvent<HTMLElement>) => void;
  onPointerUp: (event: React.PointerEvent<HTMLElement>) => void;
  onFocus: (event: React.FocusEvent<HTMLElement>) => void;
  onBlur: () => void;
}

/**
 * A tooltip on hover, on keyboard focus and on a touch. Escape closes it and the pointer may move onto it; a touch elsewhere closes it. Lists hold dozens of
 * these, so it is the browser's own popover and nothing is measured until one opens.
 */
export function Tooltip({ content, children }: TooltipProps) {
  const id = useId();
  const bubble = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const listening = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      listening.current?.abort();
    },
    [],
  );

  const show = (target: HTMLElement) => {
    const element = bubble.current;
    if (!element || element.matches(':popover-open')) return;
    element.showPopover();
    const box = target.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const above = box.top - height - 6;
    element.style.top = `${above > 4 ? above : box.bottom + 6}px`;
    element.style.left = `${Math.max(8, Math.min(box.left, document.documentElement.clientWidth - width - 8))}px`;
    listening.current = new AbortController();
    const { signal } = listening.current;
    document.addEventListener('keydown', (event) => (event.key === 'Escape' ? hide() : undefined), { signal });
    const elsewhere = ({ target: at }: PointerEvent) =>
      at instanceof Node && (element.contains(at) || target.contains(at)) ? undefined : hide();
    document.addEventListener('pointerdown', elsewhere, { signal });
    window.addEventListener('scroll', hide, { signal, capture: true });
  };
  const hide = () => {
    listening.current?.abort();
    if (bubble.current?.matches(':popover-open')) bubble.current.hidePopover();
  };
  const after = (milliseconds: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, milliseconds);
  };

  return (
    <>
      {children({
        tabIndex: 0,
        'aria-describedby': id,
        onPointerEnter: (event) => {
          // a finger comes and goes with each touch, and stays nowhere
          if (event.pointerType === 'touch') return;
          const target = event.currentTarget;
          after(200, () => show(target));
        },
        onPointerLeave: (event) => (event.pointerType === 'touch' ? undefined : after(120, hide)),
        onPointerUp: (event) => {
          if (event.pointerType !== 'touch') return;
          if (bubble.current?.matches(':popover-open')) hide();
          else show(event.currentTarget);
        },
        onFocus: (event) => {
          if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget);
        },
        onBlur: hide,
      })}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="manual"
        onPointerEnter={() => clearTimeout(timer.current)}
        onPointerLeave={(event) => (event.pointerType === 'touch' ? undefined : after(120, hide))}
        className="fixed inset-auto m-0 max-w-72 rounded-md border-0 bg-raised px-3 py-2 text-sm text-text shadow-overlay"
      >
        {content}
      </span>
    </>
  );
}
