import type { ReactNode } from 'react';

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

interface SendOptions {
  dryRun: boolean;
  signal: AbortSignal;
  /** 0 to 1: the share of bytes sent. */
  onProgress(fraction: number): void;
}

/** The content and the state of an import. */
export interface ImportProps {
  /** The name of the lines, in the plural: `serials`. */
  what: string;
  /** Describes the columns that the file may have. */
  hint: ReactNode;
  send(file: File, options: SendOptions): Promise<ImportOutcome>;
  onDemo(): void;
  /** Saves the rejected lines of an import. */
  onReport(importId: string): void;
  /** Lines the server has read so far, from live events. */
  lines?: number | undefined;
  onDone(outcome: ImportOutcome): void;
}

export interface ImportStepsProps extends ImportProps {
  /** Somebody tried to close the dialog while the import runs. */
  refused: boolean;
  onRunning(running: boolean): void;
  onClose(): void;
}
