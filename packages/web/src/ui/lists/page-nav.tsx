import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';

interface PageNavProps {
  summary: ReactNode;
  /** The number of this page, and of all pages. */
  at: ReactNode;
  /** Undefined where there is no page before, or after. */
  onBack: (() => void) | undefined;
  onNext: (() => void) | undefined;
  /** The word on the button to the page before. */
  back?: 'Previous' | 'Prev' | undefined;
}

/** Below a list: what it has, and the way to its other pages. */
export function PageNav({ summary, at, onBack, onNext, back = 'Previous' }: PageNavProps) {
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted"
    >
      <span className="figures" aria-live="polite">
        {summary}
      </span>
      <span className="flex items-center gap-3">
        <span className="figures">{at}</span>
        <span className="flex gap-1.5">
          <Button size="sm" disabled={!onBack} onClick={onBack}>
            <ChevronLeft className="-ml-1 size-4" aria-hidden />
            {back}
          </Button>
          <Button size="sm" disabled={!onNext} onClick={onNext}>
            Next
            <ChevronRight className="-mr-1 size-4" aria-hidden />
          </Button>
        </span>
      </span>
    </nav>
  );
}
