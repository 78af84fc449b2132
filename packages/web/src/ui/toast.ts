import { toast } from 'sonner';
import { describeError } from '../lib/errors.ts';
import { isTaken, isUndoKey } from '../lib/single-keys.ts';

interface Undo {
  undo: () => void;
}

/** What is best done next, with the words for its button. */
interface Next {
  label: string;
  onClick: () => void;
}

/** Undo by its button, or by Ctrl+Z (⌘Z) while the notice is there and no text is being typed. */
function withUndo(message: string, { undo }: Undo) {
  const listening = new AbortController();
  const stop = () => listening.abort();
  const once = () => {
    stop();
    undo();
  };
  const id = toast.success(message, {
    action: { label: 'Undo', onClick: once },
    duration: 8000,
    onDismiss: stop,
    onAutoClose: stop,
  });
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isUndoKey(event) || isTaken(event)) return;
      // the newest notice has it; the key of an older one comes next
      event.preventDefault();
      event.stopImmediatePropagation();
      toast.dismiss(id);
      once();
    },
    { signal: listening.signal, capture: true },
  );
}

/** Announced in a live region; errors stay longer and show the request id. */
export const notify = {
  success(message: string, options?: Undo) {
    if (!options) toast.success(message);
    else withUndo(message, options);
  },
  next(message: string, next: Next) {
    toast.success(message, { action: next, duration: 12_000 });
  },
  /** Stays until it is answered or closed. */
  standing(message: string, next: Next) {
    toast.info(message, { action: next, duration: Number.POSITIVE_INFINITY });
  },
  error(message: string, cause?: unknown) {
    const problem = cause === undefined ? undefined : describeError(cause);
    const lines = [problem?.message, problem?.requestId && `Request ${problem.requestId}`].filter(Boolean);
    toast.error(message, { duration: 10_000, ...(lines.length ? { description: lines.join(' · ') } : {}) });
  },
  /** Where the specification has the reason in the same line. */
  failed(what: string, cause: unknown) {
    const { message, requestId } = describeError(cause);
    toast.error(`${what}: ${message}`, {
      duration: 10_000,
      ...(requestId ? { description: `Request ${requestId}` } : {}),
    });
  },
};
