import { FileUp } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import { formatBytes } from '#lib/format/sizes.ts';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { Checkbox } from '../forms/field.tsx';
import { FormError, Notice } from '../states.tsx';
import { notify } from '../toast.ts';
import { ImportResult } from './import-result.tsx';
import type { ImportOutcome, ImportStepsProps } from './import-steps-props.ts';

interface Run {
  dryRun: boolean;
  fraction: number;
}

export function ImportSteps(props: ImportStepsProps) {
  const { what, hint, send, onDemo, onReport, onDone, onRunning, onClose } = props;
  const [file, setFile] = useState<File | null>(null);
  const [check, setCheck] = useState(false);
  const [run, setRun] = useState<Run | null>(null);
  const [outcome, setOutcome] = useState<ImportOutcome | null>(null);
  const [problem, setProblem] = useState<{ error?: unknown; words?: string } | null>(null);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);

  const choose = (next: File | undefined) => {
    if (!next) return;
    const isCsv = /\.(csv|txt)$/i.test(next.name) || next.type === 'text/csv';
    setFile(isCsv ? next : null);
    setOutcome(null);
    setProblem(isCsv ? null : { words: `${next.name} is not a CSV file.` });
  };

  const start = async (dryRun: boolean) => {
    if (!file) return;
    controller.current = new AbortController();
    const { signal } = controller.current;
    setProblem(null);
    setOutcome(null);
    setRun({ dryRun, fraction: 0 });
    onRunning(true);
    try {
      const answer = await send(file, { dryRun, signal, onProgress: (fraction) => setRun({ dryRun, fraction }) });
      setOutcome(answer);
      if (!dryRun) {
        // if nothing was added, the result shows what was wrong
        if (answer.count > 0 || answer.rejected === 0)
          notify.success(
            `${formatCount(answer.count)} ${answer.count === 1 ? what.replace(/s$/, '') : what} imported successfully`,
          );
        onDone(answer);
      }
    } catch (error) {
      setProblem(signal.aborted ? { words: 'Canceled. You can try again with the same file.' } : { error });
    } finally {
      setRun(null);
      onRunning(false);
    }
  };

  if (run) return <Running run={run} {...props} onCancel={() => controller.current?.abort()} />;
  if (outcome) {
    return (
      <ImportResult outcome={outcome} what={what} onReport={onReport}>
        {outcome.dry_run ? (
          <>
            <Button onClick={() => setOutcome(null)}>Back</Button>
            <Button variant="primary" disabled={outcome.count === 0} onClick={() => start(false)}>
              Import {plural(outcome.count, 'line')}
            </Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )}
      </ImportResult>
    );
  }
  return (
    <div className="mt-2 flex flex-col gap-4">
      <div className="text-sm text-muted">
        {hint}{' '}
        <button
          type="button"
          onClick={onDemo}
          className="rounded-sm font-medium text-accent-text underline decoration-accent-line underline-offset-4 hover:decoration-current"
        >
          Download Demo
        </button>
      </div>
      <DropZone file={file} onFile={choose} />
      {problem?.error ? <FormError title="Import failed." error={problem.error} /> : null}
      {problem?.words ? <Notice tone="plain">{problem.words}</Notice> : null}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <Checkbox label="Check first" checked={check} onChange={(event) => setCheck(event.target.checked)} />
        <span className="ml-auto flex gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!file} onClick={() => start(check)} className="min-w-20">
            {check ? 'Check' : 'Import'}
          </Button>
        </span>
      </div>
    </div>
  );
}

function DropZone({ file, onFile }: { file: File | null; onFile: (file: File | undefined) => void }) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex min-h-32 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-dashed border-control-line px-4 py-5 text-center transition-colors hover:bg-canvas has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)',
        over && 'border-accent bg-accent-soft',
      )}
    >
      <FileUp className="mb-1 size-5 text-muted" aria-hidden />
      <span className="max-w-full font-medium break-all">{file ? file.name : 'Choose a CSV file'}</span>
      <span className="figures text-sm text-muted">
        {file ? `${formatBytes(file.size)} · choose another` : 'or drop it here'}
      </span>
      <input
        type="file"
        accept=".csv,.txt,text/csv"
        className="sr-only"
        aria-label="CSV file"
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          // Choosing the same file again, corrected, must fire a change event.
          event.target.value = '';
        }}
      />
    </label>
  );
}

function Running({
  run,
  lines,
  what,
  refused,
  onCancel,
}: Pick<ImportStepsProps, 'lines' | 'what' | 'refused'> & { run: Run; onCancel: () => void }) {
  const state = useRef<HTMLParagraphElement>(null);
  // The pressed button is gone.
  useEffect(() => state.current?.focus(), []);
  const sent = run.fraction >= 1;
  const percent = Math.round(run.fraction * 100);
  const words = sent
    ? lines
      ? `Reading line ${formatCount(lines)}`
      : `Reading the ${what}`
    : `Uploading, ${percent} percent`;
  return (
    <div className="mt-6 flex flex-col gap-5">
      <div
        role="progressbar"
        aria-label={run.dryRun ? 'Check' : 'Import'}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={sent ? undefined : percent}
        aria-valuetext={words}
        className="grid grid-cols-12 gap-1"
      >
        {Array.from({ length: 12 }, (_, cell) => (
          <span
            key={cell}
            className={cn(
              'h-3 rounded-[4px] transition-colors',
              cell < run.fraction * 12 ? 'bg-accent' : 'bg-hover',
              sent && 'animate-pulse',
            )}
            style={sent ? { animationDelay: `${cell * 120}ms` } : undefined}
          />
        ))}
      </div>
      <p ref={state} tabIndex={-1} className="figures text-muted outline-none">
        {words}
      </p>
      {refused ? <Notice tone="warn">The import is running. Cancel it before you close this.</Notice> : null}
      <div className="flex justify-end">
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
