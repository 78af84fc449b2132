import type { ReactNode } from 'react';
import { CopyButton } from '#ui/buttons/copy-button.tsx';

/** What is pasted into a shop, with a button that copies it. */
export function Pasted({ text, what, children }: { text: string; what: string; children?: ReactNode }) {
  return (
    <div>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-2 pr-2 pl-4">
        <code className="min-w-0 flex-1 font-mono text-sm break-all">{text}</code>
        <CopyButton compact text={text} what={what} />
      </div>
      {children ? <p className="mt-1.5 text-sm text-muted">{children}</p> : null}
    </div>
  );
}
