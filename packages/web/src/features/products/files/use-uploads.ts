import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { describeError } from '#lib/errors.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { StoredFile } from '#lib/types.ts';
import { notify } from '#ui/toast.ts';
import { forgetUnfinished, storedFileQuery } from './stored-file-query.ts';
import { discardUpload, placeOf, uploadProductFile } from './upload-file.ts';

export interface RunningUpload {
  /** The same file has the same key, so it can't be sent twice at once. */
  key: string;
  file: File;
  state: 'running' | 'waiting' | 'paused' | 'failed';
  sent: number;
  /** Bytes per second, once there is something to measure. */
  speed: number | null;
  id?: string;
  problem?: string;
}

export interface Uploads {
  items: RunningUpload[];
  add: (files: File[]) => void;
  pause: (key: string) => void;
  resume: (key: string) => void;
  cancel: (key: string) => void;
}

const largest = 5 * 1024 ** 3;
const paused = Symbol('paused');

/** Several uploads at once. Complete ones leave the list and are passed to `onDone`. */
export function useUploads(onDone: (file: StoredFile) => void): Uploads {
  const queryClient = useQueryClient();
  const [items, setItems] = useState<RunningUpload[]>([]);
  const latest = useRef(items);
  latest.current = items;
  const done = useRef(onDone);
  done.current = onDone;
  const running = useRef(new Map<string, AbortController>());
  useEffect(
    () => () => {
      for (const controller of running.current.values()) controller.abort(paused);
    },
    [],
  );

  const change = useCallback((key: string, next: Partial<RunningUpload>) => {
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...next } : item)));
  }, []);
  const drop = useCallback((key: string) => setItems((all) => all.filter((item) => item.key !== key)), []);

  const start = useCallback(
    async (key: string, file: File) => {
      const controller = new AbortController();
      running.current.set(key, controller);
      try {
        const stored = await uploadProductFile(file, {
          signal: controller.signal,
          onStart: ({ id }) => change(key, { id, state: 'running' }),
          onInterrupted: () => change(key, { state: 'waiting', speed: null }),
          onBytes: meter((sent, speed) => change(key, { sent, speed })),
        });
        queryClient.setQueryData(storedFileQuery(stored.id).queryKey, stored);
        forgetUnfinished(queryClient, stored.id);
        done.current(stored);
        drop(key);
      } catch (error) {
        if (controller.signal.aborted) return;
        endSessionOn401(error);
        change(key, { state: 'failed', speed: null, problem: describeError(error).message });
        notify.error(`${file.name} couldn't be uploaded.`, error);
      } finally {
        if (running.current.get(key) === controller) running.current.delete(key);
      }
    },
    [change, drop, queryClient],
  );

  const stop = (key: string) => {
    running.current.get(key)?.abort(paused);
    // Immediately, so that a Resume right after it finds the slot free.
    running.current.delete(key);
  };
  const find = (key: string) => latest.current.find((item) => item.key === key);
  return {
    items,
    add: (files) => {
      const fresh: RunningUpload[] = [];
      for (const file of files) {
        const key = placeOf(file);
        if (find(key) || fresh.some((item) => item.key === key)) continue;
        if (file.size === 0) notify.error(`${file.name} is empty.`);
        else if (file.size > largest) notify.error(`${file.name} has more than 5 GB.`);
        else fresh.push({ key, file, state: 'running', sent: 0, speed: null });
      }
      setItems((all) => [...all, ...fresh]);
      for (const { key, file } of fresh) start(key, file);
    },
    pause: (key) => {
      stop(key);
      change(key, { state: 'paused', speed: null });
    },
    resume: (key) => {
      const item = find(key);
      if (!item || running.current.has(key)) return;
      change(key, { state: 'running', speed: null });
      start(key, item.file);
    },
    cancel: (key) => {
      const item = find(key);
      stop(key);
      drop(key);
      // If this fails, the server removes the upload after an idle week.
      if (!item?.id) return;
      forgetUnfinished(queryClient, item.id);
      discardUpload(item.id).catch(() => undefined);
    },
  };
}

/** Reports bytes and speed at most four times a second; the speed is that of the last few seconds. */
function meter(report: (sent: number, speed: number | null) => void) {
  let marks: { at: number; sent: number }[] = [];
  let reportedAt = 0;
  return (sent: number) => {
    const at = performance.now();
    // After a failed part, fewer bytes are stored than were sent.
    if (sent < (marks.at(-1)?.sent ?? 0)) marks = [];
    marks = [...marks.filter((mark) => at - mark.at < 5000), { at, sent }];
    if (at - reportedAt < 250) return;
    reportedAt = at;
    const [first] = marks;
    const seconds = first ? (at - first.at) / 1000 : 0;
    report(sent, first && seconds > 1 ? (sent - first.sent) / seconds : null);
  };
}
