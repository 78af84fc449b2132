import { useEffect, useRef, useState } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { Checkbox } from '../forms/field.tsx';
import { FormError, Notice } from '../states.tsx';
import { notify } from '../toast.ts';
import { DropZone } from './drop-zone.tsx';
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
      <DropZone file={file} onFile={choose} accept=".csv,.txt,text/csv" label="CSV file" words="Choose a CSV file" />
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
