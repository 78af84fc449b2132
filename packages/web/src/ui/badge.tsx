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

interface TagProps {
  tone?: BadgeTone | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A name that somebody gave, or a state whose meaning is written beside it. */
export function Tag({ tone = 'plain', className, children }: TagProps) {
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

interface BadgeProps extends TagProps {
  /** Explains the state, its reason and what comes next, on hover and on focus. */
  means: ReactNode;
}

/** A state, which explains itself. */
export function Badge({ means, ...tag }: BadgeProps) {
  return (
    <Tooltip content={means}>
      {(trigger) => (
        <span {...trigger} className="inline-flex rounded-sm">
          <Tag {...tag} />
        </span>
      )}
    </Tooltip>
  );
}
