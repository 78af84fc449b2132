import type { ReactNode } from 'react';
import { Panel } from '../page.tsx';

interface FactsProps {
  facts: [label: string, value: ReactNode][];
}

/** Labels and values, in two columns where there is room for both. Empty ones are left out. */
export function Facts({ facts }: FactsProps) {
  return (
    <div className="@container">
      <dl className="grid grid-cols-1 gap-x-10 @xl:grid-cols-2">
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([label, value]) => (
            <div
              key={label}
              className="flex min-h-11 items-center justify-between gap-4 border-b border-line py-2 text-sm"
            >
              <dt className="max-w-3/5 shrink-0 text-muted">{label}</dt>
              <dd className="figures min-w-0 text-right whitespace-pre-line wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  );
}

/** Facts in a box, whose edge takes the place of the last lines. */
export function FactsPanel({ facts }: FactsProps) {
  return (
    <Panel className="mb-8 overflow-hidden px-5">
      <div className="-mb-px">
        <Facts facts={facts} />
      </div>
    </Panel>
  );
}
