import { toast } from 'sonner';
import { describeError } from '../lib/errors.ts';

interface Undo {
  undo: () => void;
}

/** What is best done next, with the words for its button. */
interface Next {
  label: string;
  onClick: () => void;
}

/** Announced in a live region; errors stay longer and show the request id. */
export const notify = {
  success(message: string, options?: Undo) {
    toast.success(message, options ? { action: { label: 'Undo', onClick: options.undo }, duration: 8000 } : {});
  },
  next(message: string, next: Next) {
    toast.success(message, { action: next, duration: 12_000 });
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
