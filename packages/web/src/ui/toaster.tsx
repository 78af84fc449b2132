import { Toaster as Sonner } from 'sonner';
import { useTheme } from '../lib/theme.ts';

export function Toaster() {
  const { theme } = useTheme();
  return (
    <Sonner
      theme={theme}
      position="bottom-right"
      closeButton
      gap={10}
      // sonner sets the system's
      style={{ fontFamily: 'var(--font-text)' }}
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
