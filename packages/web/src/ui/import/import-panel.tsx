import { lazy, Suspense, useState } from 'react';
import { Dialog } from '../dialogs/dialog.tsx';
import { Loading } from '../mark.tsx';
import type { ImportProps } from './import-steps-props.ts';

interface ImportPanelProps extends ImportProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
}

const ImportSteps = lazy(() => import('./import-steps.tsx').then((module) => ({ default: module.ImportSteps })));

/** Imports a CSV file: choose, check, upload, and the result. */
export function ImportPanel({ open, onOpenChange, title, ...steps }: ImportPanelProps) {
  const [running, setRunning] = useState(false);
  const [refused, setRefused] = useState(false);
  const change = (next: boolean) => {
    // Escape or a click beside the dialog must not stop an import by accident.
    if (!next && running) return setRefused(true);
    setRefused(false);
    onOpenChange(next);
  };
  return (
    <Dialog open={open} onOpenChange={change} title={title} className="max-w-lg!">
      <Suspense fallback={<Loading />}>
        <ImportSteps
          {...steps}
          refused={refused}
          onRunning={(now) => {
            setRunning(now);
            setRefused(false);
          }}
          onClose={() => onOpenChange(false)}
        />
      </Suspense>
    </Dialog>
  );
}
