import { cn } from '../cn.ts';

interface UploadBarProps {
  /** 0 to 1. */
  value: number;
  label: string;
  /** Shows no animation, because the upload is paused or failed. */
  quiet?: boolean;
  className?: string;
}

/** How far an upload is. */
export function UploadBar({ value, label, quiet = false, className }: UploadBarProps) {
  const percent = Math.min(100, Math.floor(value * 100));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cn('h-1 overflow-hidden rounded-full bg-hover', className)}
    >
      <div
        className={cn(
          'h-full origin-left rounded-full transition-transform duration-200 ease-linear',
          quiet ? 'bg-line-strong' : 'bg-accent',
        )}
        style={{ transform: `scaleX(${Math.min(1, value)})` }}
      />
    </div>
  );
}
