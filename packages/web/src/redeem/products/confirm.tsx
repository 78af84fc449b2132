import { useId, useLayoutEffect, useRef } from 'react';
import { useWords } from '../words.tsx';

interface Props {
  title: string;
  text: string;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The browser's own dialog: it traps focus, closes with Escape and restores focus. */
export function Confirm({ title, text, action, busy, onConfirm, onCancel }: Props) {
  const { t } = useWords();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // closed before it leaves the page, or the focus would be lost with it
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p className="question" id={`${id}-text`}>
        {text}
      </p>
      <div className="choice">
        <button type="button" className="second" disabled={busy} onClick={onCancel}>
          {t.cancel}
        </button>
        <button type="button" className="main" disabled={busy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
