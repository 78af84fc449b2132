import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

/** Figures beside each other, in a panel: four, or twice three. */
export function FigureCards({ across = 4, children }: { across?: 3 | 4; children: ReactNode }) {
  return (
    <dl
      className={cn(
        '-mt-px -ml-px grid grid-cols-2 max-lg:*:last:odd:col-span-2',
        across === 4 ? 'lg:grid-cols-4' : 'lg:grid-cols-3',
      )}
    >
      {children}
    </dl>
  );
}

interface FigureCardProps {
  /** How the value has changed. */
  change?: ReactNode;
  name: string;
  /** Undefined while loading. */
  value: string | undefined;
  children: ReactNode;
}

export function FigureCard({ name, value, change, children }: FigureCardProps) {
  return (
    <div className="min-w-0 border-t border-l border-line px-4 py-4 sm:px-5">
      <dt className="text-sm text-muted">{name}</dt>
      {value === undefined ? (
        <dd className="flex h-14 flex-col justify-center gap-2.5">
          <span className="skeleton h-5 w-24" />
          <span className="skeleton h-3.5 w-32 max-w-full" />
        </dd>
      ) : (
        <>
          <dd
            className="figures mt-1 line-clamp-2 text-lg wrap-anywhere font-semibold tracking-[-0.02em]"
            title={value}
          >
            {value}
          </dd>
          {change ? <dd className="figures min-h-6 text-xs">{change}</dd> : null}
          <dd className="figures min-h-6 text-xs text-muted">{children}</dd>
        </>
      )}
    </div>
  );
}
