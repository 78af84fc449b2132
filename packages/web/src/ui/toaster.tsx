import { type CSSProperties, useSyncExternalStore } from 'react';
import { Toaster as Sonner } from 'sonner';
import { useTheme } from '#lib/theme.ts';

/** At this width or wider there is room beside the lower edge of a screen or dialog. */
const roomy = matchMedia('(min-width: 64rem)');

function watch(changed: () => void) {
  roomy.addEventListener('change', changed);
  return () => roomy.removeEventListener('change', changed);
}

/**
 * Notices. On a small screen the buttons of a dialog, of a form and of the till are at the lower edge, where the thumb is: there
 * they come from above, over the header.
 */
export function Toaster() {
  const { theme } = useTheme();
  const beside = useSyncExternalStore(watch, () => roomy.matches);
  return (
    <Sonner
      theme={theme}
      position={beside ? 'bottom-right' : 'top-center'}
      offset={beside ? {} : 8}
      mobileOffset={8}
      closeButton
      gap={10}
      // sonner sets the system's font, and a width of its own
      style={{ fontFamily: 'var(--font-text)', '--width': '400px' } as CSSProperties}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'group flex w-full items-start gap-3 rounded-lg bg-raised p-4 pr-10 text-base text-text shadow-overlay sm:w-[400px]',
          title: 'font-medium',
          description: 'mt-0.5 text-sm text-muted wrap-anywhere',
          icon: 'mt-[3px] shrink-0',
          success: '[&_[data-icon]]:text-good',
          error: '[&_[data-icon]]:text-bad',
          content: 'min-w-0 flex-1',
          actionButton:
            'shrink-0 rounded-sm border border-line-strong px-2.5 py-0.5 text-sm font-medium hover:bg-hover',
          closeButton:
            'absolute top-2.5 right-2.5 grid size-6 place-items-center rounded-sm border-0! bg-transparent! text-muted hover:bg-hover! hover:text-text [&_svg]:size-3.5',
        },
      }}
    />
  );
}
