import { FileUp } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { formatBytes } from '#lib/format/sizes.ts';
import { cn } from '../cn.ts';

interface DropZoneProps {
  file: File | null;
  onFile: (file: File | undefined) => void;
  /** As a file input has it. */
  accept: string;
  /** The input's name, for screen readers. */
  label: string;
  /** While there is no file. */
  words: string;
}

/** Takes one file, chosen or dropped. */
export function DropZone({ file, onFile, accept, label, words }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex min-h-32 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-dashed border-control-line px-4 py-5 text-center transition-colors hover:bg-canvas has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)',
        over && 'border-accent bg-accent-soft',
      )}
    >
      <FileUp className="mb-1 size-5 text-muted" aria-hidden />
      <span className="max-w-full font-medium break-all">{file ? file.name : words}</span>
      <span className="figures text-sm text-muted">
        {file ? `${formatBytes(file.size)} · choose another` : 'or drop it here'}
      </span>
      <input
        type="file"
        accept={accept}
        className="sr-only"
        aria-label={label}
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          // Choosing the same file again, corrected, must fire a change event.
          event.target.value = '';
        }}
      />
    </label>
  );
}
