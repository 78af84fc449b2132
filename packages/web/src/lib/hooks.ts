import { useCallback, useEffect, useRef, useState } from 'react';

/** The browser's tab title, per screen. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Tonerow`;
  }, [title]);
}

/** Copies text and reports it for two seconds. Returns false when the browser refused. */
export function useCopy() {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = useCallback(async (text: string) => {
    if (!(await writeClipboard(text))) return false;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2000);
    return true;
  }, []);
  return { copied, copy };
}

/** Returns false when the browser refused. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // navigator.clipboard is missing on plain http from another machine.
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** A value that follows its source after it has been quiet for a while. */
export function useDebounced<T>(value: T, milliseconds = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** Runs an action at most once at a time, however often it is clicked. */
export function useOnce<A extends unknown[], R>(action: (...args: A) => Promise<R>) {
  const running = useRef(false);
  return async (...args: A): Promise<R | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    try {
      return await action(...args);
    } finally {
      running.current = false;
    }
  };
}

/**
 * Sends what a form makes under an idempotency key, which stays the same for one request until a response arrives, so that a retry
 * after a lost connection finds what the first try created. A refusal is a response too.
 */
export function useAttempt() {
  const attempt = useRef({ key: '', request: '' });
  return async <Answer>(body: unknown, send: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> => {
    const request = JSON.stringify(body);
    if (attempt.current.request !== request) attempt.current = { key: crypto.randomUUID(), request };
    try {
      const answer = await send(attempt.current.key);
      attempt.current.request = '';
      return answer;
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      if (status >= 400 && status < 500) attempt.current.request = '';
      throw error;
    }
  };
}
