import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Loading } from './mark.tsx';

export interface ImportOutcome {
  import_id: string;
  message: string;
  /** Lines that were added, or would be. */
  count: number;
  /** Lines that already existed. */
  known: number;
  rejected: number;
  lines: number;
  dry_run: boolean;
  warnings: { line: number; reason: string }[];
}

export interface SendOptions {
  dryRun: boolean;
  signal: AbortSignal;
  /** 0 to 1: the share of bytes sent. */
  onProgress(fraction: number): void;
}

export interface ImportPanelProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** What the lines are, in the plural: `serials`. */
  what: string;
  /** Which columns the file may have. */
  hint: ReactNode;
  send(file: File, options: SendOptions): Promise<ImportOutcome>;
  onDemo(): void;
  /** Saves the rejected lines of an import. */
  onReport(importId: string): void;
  /** Lines the server has read so far, from live events. */
  lines?: number | undefined;
  onDone(outcome: ImportOutcome): void;
}

const ImportSteps = lazy(() => import('./import-steps.tsx').then((module) => ({ default: module.ImportSteps })));

/** Imports a CSV file: choose, check, upload, and the result. */
export function ImportPanel({ open, onOpenChange, title, ...steps }: ImportPanelProps) {
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState(false);
  const change = (next: boolean) => {
    // Escape or a click beside the dialog must not stop an import by accident.
    if (!next && running) return setRefused(true);
    setRefused(false);
    onOpenChange(next);
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title} className="max-w-lg!">
      <Suspense fallback={<Loading />}>
        <ImportSteps
          {...steps}
          refused={refused}
          onRunning={(now) => {
            setRunning(now);
            setRefused(false);
          }}
          onClose={() => onOpenChange(false)}
        />
      </Suspense>
    </Dialog>
  );
}
