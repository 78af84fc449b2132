import type { ReactNode } from 'react';
import { CopyButton } from '#ui/buttons/copy-button.tsx';

/** A text to paste into a shop, with a button that copies it. */
export function Pasted({ text, what, children }: { text: string; what: string; children?: ReactNode }) {
  return (
    <div>
      {/* on a phone the button is below, so that an address has the whole width */}
      <div className="flex flex-col items-start gap-1 rounded-md border border-line bg-sunken py-2 pr-2 pl-4 sm:flex-row sm:items-center sm:gap-2">
        <code className="min-w-0 font-mono text-sm break-all sm:flex-1">{text}</code>
        <CopyButton compact text={text} what={what} className="-ml-2 sm:ml-0" />
      </div>
      {children ? <p className="mt-1.5 text-sm text-muted">{children}</p> : null}
    </div>
  );
}
