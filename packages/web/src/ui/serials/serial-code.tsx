import { codeBlocks } from '#lib/format/format.ts';
import { cn } from '../cn.ts';

/** A code in spaced blocks, easy to read over a phone. Copying the text keeps the dashes. */
export function SerialCode({ code, className }: { code: string; className?: string }) {
  const blocks = codeBlocks(code);
  return (
    <code
      className={cn(
        'font-mono text-base font-medium tracking-[0.02em] text-text',
        blocks.length > 1 && 'whitespace-nowrap',
        className,
      )}
    >
      {blocks.map((block, index) => (
        <span key={index}>
          {index > 0 ? <span className="text-faint">-</span> : null}
          {block}
        </span>
      ))}
    </code>
  );
}
