import { ExternalLink } from 'lucide-react';
import { CopyButton } from '../buttons/copy-button.tsx';

/** A URL to share, with buttons to open and copy it. */
export function LinkLine({ url, what }: { url: string; what: string }) {
  return (
    <div className="flex min-w-0 items-center gap-2">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="flex min-w-0 items-center gap-1.5 rounded-sm font-mono text-sm text-accent-text hover:underline"
      >
        <span className="truncate">{url}</span>
        <ExternalLink className="size-3.5 shrink-0" aria-hidden />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      <CopyButton compact text={url} what={what} className="ml-auto sm:ml-0" />
    </div>
  );
}
