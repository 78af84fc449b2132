import type { ReactNode } from 'react';
import { CopyButton } from './buttons/copy-button.tsx';

interface TryItProps {
  /** A command for a terminal, or an address; shown whole. */
  line: string;
  /** Its result. */
  children: ReactNode;
}

/** One line that shows at once that a tool works. */
export function TryIt({ line, children }: TryItProps) {
  return (
    <section aria-label="Try it" className="rounded-lg border border-line bg-sunken px-4 py-3">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3">
        <h2 className="shrink-0 text-sm font-semibold">Try it</h2>
        <pre className="min-w-0 flex-1 py-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere max-lg:order-last max-lg:basis-full">
          <code>{line}</code>
        </pre>
        <CopyButton compact text={line} what="the line to try" />
      </div>
      <p className="mt-1 text-sm text-muted">{children}</p>
    </section>
  );
}
