import { Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '#ui/button.tsx';
import { useSave } from './use-save.ts';

interface SaveButtonProps extends Pick<ComponentProps<typeof Button>, 'size' | 'disabled' | 'className' | 'children'> {
  /** The name of the file. */
  file: string;
  stream: () => Promise<Response>;
}

/** Saves a streamed file. */
export function SaveButton({ file, stream, children, ...button }: SaveButtonProps) {
  const save = useSave(file, stream);
  return (
    <Button {...button} onClick={() => save.mutate()} busy={save.isPending}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      {children}
    </Button>
  );
}
