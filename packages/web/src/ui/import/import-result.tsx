import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { Button } from '../button.tsx';
import type { ImportOutcome } from './import-steps-props.ts';

/** `what` is in the plural. */
function imported(count: number, what: string): string {
  return `${formatCount(count)} ${count === 1 ? what.replace(/s$/, '') : what} imported successfully`;
}

interface ImportResultProps {
  outcome: ImportOutcome;
  what: string;
  onReport(importId: string): void;
  /** The next steps. */
  children: ReactNode;
}

export function ImportResult({ outcome, what, onReport, children }: ImportResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { count, known, rejected, warnings, dry_run } = outcome;
  const clean = rejected === 0 && warnings.length === 0;
  const title = dry_run ? 'This is what would happen' : clean ? 'Import complete' : 'Import completed with warnings';
  const figures = [
    { label: dry_run ? 'To be added' : 'Added', value: count },
    { label: 'Already known', value: known },
    { label: dry_run ? 'To be rejected' : 'Rejected', value: rejected },
  ];
  return (
    <div className="mt-4 flex flex-col gap-5">
      <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
        {title}
      </h3>
      <dl className="grid grid-cols-3 divide-x divide-line rounded-md border border-line">
        {figures.map(({ label, value }) => (
          <div key={label} className="flex flex-col-reverse justify-end px-4 py-3">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="figures text-lg font-semibold tracking-[-0.02em]">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
      {warnings.length > 0 ? (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
          tabIndex={0}
          aria-label="Warnings"
          className="max-h-56 overflow-auto rounded-md border border-line"
        >
          <table className="w-full border-collapse text-left text-sm">
            <caption className="sr-only">Lines with a warning</caption>
            <thead className="sticky top-0 bg-raised">
              <tr className="text-xs text-muted">
                <th scope="col" className="px-3 py-2 font-medium">
                  Line
                </th>
                <th scope="col" className="w-full px-3 py-2 font-medium">
                  Reason
                </th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line border-t border-line">
              {warnings.map(({ line, reason }, index) => (
                <tr key={index}>
                  <td className="figures px-3 py-2 align-top text-muted">{formatCount(line)}</td>
                  <td className="px-3 py-2 wrap-anywhere">{reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
      {clean && count > 0 && !dry_run ? <p className="text-muted">{imported(count, what)}</p> : null}
      <div className="flex flex-wrap justify-end gap-2">
        {rejected > 0 ? (
          <Button className="mr-auto" onClick={() => onReport(outcome.import_id)}>
            <Download className="-ml-0.5 size-4" aria-hidden />
            Download rejected lines
          </Button>
        ) : null}
        {children}
      </div>
    </div>
  );
}
