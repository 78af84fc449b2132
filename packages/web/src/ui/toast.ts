import { toast } from 'sonner';
import { describeError } from '#lib/errors.ts';
import { isTaken, isUndoKey } from '#lib/keyboard/single-keys.ts';

interface Undo {
  undo: () => void;
}

/** The best next step, with the words for its button. */
interface Next {
  label: string;
  onClick: () => void;
}

/** An event elsewhere, shown to people who did not ask. */
interface News {
  /** A later one with the same id takes its place. */
  id: string;
  title: string;
  detail: string;
  good: boolean;
  action: Next;
}

/** News that came while an Undo was offered, by id. */
const held = new Map<string, News>();
let undosOffered = 0;

function showNews({ id, title, detail, good, action }: News) {
  const show = good ? toast.success : toast.warning;
  show(title, { id, description: detail, duration: 10_000, action });
}

function endOffer(used: boolean) {
  undosOffered -= 1;
  // the news may be about what was undone ("No serials left"): the bell still has it
  if (used) held.clear();
  if (undosOffered > 0) return;
  for (const news of held.values()) showNews(news);
  held.clear();
}

/** Undo by its button, or by Ctrl+Z (⌘Z) while the notice is there and no text is being typed. */
function withUndo(message: string, { undo }: Undo) {
  const listening = new AbortController();
  const stop = (used = false) => {
    if (listening.signal.aborted) return;
    listening.abort();
    endOffer(used);
  };
  const once = () => {
    // a second click, while the notice goes away
    if (listening.signal.aborted) return;
    stop(true);
    undo();
  };
  undosOffered += 1;
  const id = toast.success(message, {
    action: { label: 'Undo', onClick: once },
    duration: 8000,
    onDismiss: () => stop(),
    onAutoClose: () => stop(),
  });
  document.addEventListener(
    'keydown',
    (event) => {
      if (!isUndoKey(event) || isTaken(event)) return;
      // the newest notice has it; the key of an older one comes next
      event.preventDefault();
      event.stopImmediatePropagation();
      once();
      toast.dismiss(id);
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
  /** Waits while an Undo is offered, because it would cover the button just as it is clicked. */
  news(news: News) {
    if (undosOffered > 0) held.set(news.id, news);
    else showNews(news);
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
  /** Used where the specification has the reason in the same line. */
  failed(what: string, cause: unknown) {
    const { message, requestId } = describeError(cause);
    toast.error(`${what}: ${message}`, {
      duration: 10_000,
      ...(requestId ? { description: `Request ${requestId}` } : {}),
    });
  },
};

/** Takes all of them away. */
export function dismissNotices() {
  toast.dismiss();
}
