import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { Tooltip } from './tooltip.tsx';

const tones = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent-text',
  plain: 'bg-hover text-muted',
};

export type BadgeTone = keyof typeof tones;

interface BadgeProps {
  tone?: BadgeTone;
  className?: string | undefined;
  /** What the state is, why, and what comes next: on hover and on focus. */
  means?: ReactNode;
  children: ReactNode;
}

export function Badge({ tone = 'plain', className, means, children }: BadgeProps) {
  if (means) {
    return (
      <Tooltip content={means}>
        {(trigger) => (
          <span {...trigger} className="inline-flex rounded-sm">
            <Badge tone={tone} className={className}>
              {children}
            </Badge>
          </span>
        )}
      </Tooltip>
    );
  }
  return (
    <span
      className={cn(
        'inline-flex h-[22px] items-center rounded-sm px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
