import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface TryItProps {
  /** One line: a command for a terminal, or an address. */
  line: string;
  /** What comes of it. */
  children: ReactNode;
}

/** One line that shows at once that a tool works. */
export function TryIt({ line, children }: TryItProps) {
  return (
    <section aria-label="Try it" className="rounded-lg border border-line bg-sunken px-4 py-3">
      <div className="flex min-w-0 items-center gap-3">
        <h2 className="shrink-0 text-sm font-semibold">Try it</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
        <pre className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-sm" tabIndex={0}>
          <code>{line}</code>
        </pre>
        <CopyButton compact text={line} what="the line to try" />
      </div>
      <p className="mt-1 text-sm text-muted">{children}</p>
    </section>
  );
}
