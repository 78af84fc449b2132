import { useSingleKeys } from '#lib/keyboard/single-keys.ts';

export function Key({ children }: { children: string }) {
  return (
    <kbd className="grid h-6 min-w-6 place-items-center rounded-sm border border-line-strong bg-sunken px-1.5 font-sans text-xs text-muted">
      {children}
    </kbd>
  );
}

/** The single key of its control, if there is a keyboard. Screen readers read `aria-keyshortcuts` instead. */
export function KeyHint({ children }: { children: string }) {
  if (!useSingleKeys()) return null;
  return (
    <kbd
      aria-hidden
      className="grid h-[18px] min-w-[18px] place-items-center rounded-sm border border-line bg-sunken px-1 font-sans text-[11px] leading-none font-normal text-muted max-lg:hidden pointer-coarse:hidden"
    >
      {children}
    </kbd>
  );
}
