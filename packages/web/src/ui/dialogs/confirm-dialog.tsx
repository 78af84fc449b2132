import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Button } from '../button.tsx';
import { Input } from '../forms/field.tsx';
import { useLastOpen } from './lazy-mount.tsx';

export interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The question, in the specification's words. */
  title: string;
  children?: ReactNode;
  action: string;
  cancel?: string;
  busy?: boolean;
  /** A text that has to be typed before the button of a severe action is enabled. */
  typed?: string;
  /** Disables the action for another reason, such as a missing password. */
  blocked?: boolean;
  plain?: boolean;
  /** The element to focus when the dialog closes; null for the one that opened it. */
  focusAfter?: () => HTMLElement | null;
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmProps) {
  const { open, onOpenChange, busy = false, blocked = false } = props;
  const { title, children, action, cancel = 'Cancel', typed, plain = false } = useLastOpen(props);
  const [text, setText] = useState('');
  const id = useId();
  useEffect(() => {
    if (!open) setText('');
  }, [open]);
  const closed = blocked || (typed !== undefined && text.trim() !== typed.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (!closed && !busy) props.onConfirm();
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => (busy ? undefined : onOpenChange(next))}>
      <AlertDialog.Portal>
        {/* also over a dialog that asks */}
        <AlertDialog.Backdrop
          forceRender
          className="fixed inset-0 z-50 bg-scrim transition-opacity duration-150 data-starting-style:opacity-0 data-ending-style:opacity-0"
        />
        <div className="pointer-events-none fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] items-end justify-items-center overflow-y-auto p-4 sm:items-center">
          <AlertDialog.Popup
            finalFocus={props.focusAfter ?? true}
            className="overlay-motion pointer-events-auto w-full max-w-md rounded-lg bg-raised p-6 shadow-overlay"
          >
            <form onSubmit={submit}>
              <AlertDialog.Title className="text-md font-semibold wrap-anywhere tracking-[-0.01em]">
                {title}
              </AlertDialog.Title>
              {children ? (
                <div className="mt-2 flex min-w-0 flex-col gap-4 wrap-anywhere text-muted">{children}</div>
              ) : null}
              {typed === undefined ? null : (
                <div className="mt-4 flex flex-col gap-1.5">
                  <label htmlFor={id} className="text-sm text-muted">
                    Type <strong className="font-semibold text-text">{typed}</strong> to confirm
                  </label>
                  <Input
                    id={id}
                    value={text}
                    onChange={(event) => setText(event.target.value)}
                    autoComplete="off"
                    spellCheck={false}
                  />
                </div>
              )}
              <div className="mt-6 flex justify-end gap-2">
                <AlertDialog.Close render={<Button disabled={busy}>{cancel}</Button>} />
                <Button type="submit" variant={plain ? 'primary' : 'danger'} busy={busy} disabled={closed}>
                  {action}
                </Button>
              </div>
            </form>
          </AlertDialog.Popup>
        </div>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
