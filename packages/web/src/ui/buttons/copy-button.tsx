import { Check, Copy } from 'lucide-react';
import { useCopy } from '#lib/hooks.ts';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { notify } from '../toast.ts';

interface CopyButtonProps {
  text: string;
  /** Names the text to copy, for people who cannot see what is next to the button. */
  what?: string;
  label?: string;
  className?: string;
  compact?: boolean;
}

export function CopyButton({ text, what, label = 'Copy', className, compact = false }: CopyButtonProps) {
  const { copied, copy } = useCopy();
  const act = async () => {
    if (!(await copy(text))) notify.error("Your browser didn't allow copying. Select the text instead.");
  };
  const icon = copied ? <Check className="size-3.5" aria-hidden /> : <Copy className="size-3.5" aria-hidden />;
  const words = copied ? 'Copied' : label;
  return (
    <Button
      variant={compact ? 'ghost' : 'secondary'}
      size="sm"
      onClick={act}
      className={cn(copied && 'text-good!', compact && 'px-2', className)}
    >
      {icon}
      {/* Both words are laid out, so the button keeps its width. */}
      <span className="grid text-left" aria-live="polite">
        <span className="invisible col-start-1 row-start-1" aria-hidden>
          {label.length > 6 ? label : 'Copied'}
        </span>
        <span className="col-start-1 row-start-1">
          {words}
          {what ? <span className="sr-only"> {what}</span> : null}
        </span>
      </span>
    </Button>
  );
}
