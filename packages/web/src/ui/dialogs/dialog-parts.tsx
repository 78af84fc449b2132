import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../button.tsx';
import { cn } from '../cn.ts';
import { Confirm } from './confirm.tsx';
import { useLastOpen } from './lazy-mount.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  className?: string;
  /** Something was typed and would be lost: Escape, a click outside and the close button ask first. */
  unsaved?: boolean;
  /** The content can't be shown again, so Escape and a click outside leave the dialog open. */
  shownOnce?: boolean;
}

const backdrop =
  'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-starting-style:opacity-0 data-ending-style:opacity-0';

export function DialogPopup(props: DialogProps) {
  const { open, onOpenChange, children, className, unsaved = false, shownOnce = false } = props;
  const { title, description } = useLastOpen(props);
  const [asking, setAsking] = useState(false);
  // saved while it was asked: there is nothing to discard any more, and what is shown now may be shown only once
  if (asking && !unsaved) setAsking(false);
  const change = (next: boolean, { reason }: Base.Root.ChangeEventDetails) => {
    if (next) onOpenChange(true);
    else if (shownOnce && reason !== 'close-press') return;
    else if (unsaved) setAsking(true);
    else onOpenChange(false);
  };
  return (
    <Base.Root open={open} onOpenChange={change}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <div className="pointer-events-none fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] items-end justify-items-center overflow-y-auto p-4 sm:items-center">
          <Base.Popup
            className={cn(
              'overlay-motion pointer-events-auto relative w-full max-w-md rounded-lg bg-raised p-6 shadow-overlay',
              className,
            )}
          >
            <Base.Title className="pr-8 text-md font-semibold tracking-[-0.01em]">{title}</Base.Title>
            {description ? <Base.Description className="mt-1.5 text-muted">{description}</Base.Description> : null}
            {children}
            <Base.Close
              render={
                <IconButton label="Close" className="absolute top-4 right-4">
                  <X aria-hidden />
                </IconButton>
              }
            />
            <Confirm
              open={asking}
              onOpenChange={setAsking}
              title="Close without saving?"
              action="Discard changes"
              cancel="Keep editing"
              onConfirm={() => {
                setAsking(false);
                onOpenChange(false);
              }}
            >
              <p>What you typed has not been saved.</p>
            </Confirm>
          </Base.Popup>
        </div>
      </Base.Portal>
    </Base.Root>
  );
}

/** A panel from the left edge: the menu of a phone. */
export function SheetPopup({ open, onOpenChange, title, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col overflow-y-auto bg-canvas shadow-overlay transition-transform duration-200 data-starting-style:-translate-x-full data-ending-style:-translate-x-full">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
          <Base.Close
            render={
              <IconButton label="Close menu" className="absolute top-3 right-3">
                <X aria-hidden />
              </IconButton>
            }
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A panel from the lower edge of a phone, or from the right edge of a wider screen. */
export function FilterSheetPopup({ open, onOpenChange, title, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup className="fixed inset-x-0 bottom-0 z-50 flex max-h-[85dvh] flex-col overflow-y-auto rounded-t-lg bg-raised p-5 shadow-overlay transition-transform duration-200 data-starting-style:translate-y-full data-ending-style:translate-y-full md:inset-y-0 md:right-0 md:left-auto md:max-h-none md:w-96 md:rounded-none md:data-starting-style:translate-x-full md:data-starting-style:translate-y-0 md:data-ending-style:translate-x-full md:data-ending-style:translate-y-0">
          <div className="mb-4 flex items-center justify-between">
            <Base.Title className="text-md font-semibold tracking-[-0.01em]">{title}</Base.Title>
            <Base.Close
              render={
                <IconButton label="Close" className="-mr-1.5">
                  <X aria-hidden />
                </IconButton>
              }
            />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
