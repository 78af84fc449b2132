import { useState } from 'react';
import { useRelease } from '../lib/use-release.ts';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { notify } from './toast.ts';

/** Frees the seat of one machine, after a question. The question stays open when the call fails. */
export function ReleaseMachine({ id, name }: { id: string; name: string }) {
  const [open, setOpen] = useState(false);
  const release = useRelease(id);
  const confirm = () =>
    release.mutate(undefined, {
      onSuccess: () => {
        setOpen(false);
        notify.success(`Released ${name}`);
      },
      onError: (error) => notify.error(`${name} couldn't be released.`, error),
    });
  return (
    <>
      <Button size="sm" busy={release.isPending} onClick={() => setOpen(true)} aria-label={`Release ${name}`}>
        Release
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={`Release ${name}?`}
        action="Release"
        busy={release.isPending}
        onConfirm={confirm}
      >
        The plugin on this machine stops at its next check, and its seat is free.
      </Confirm>
    </>
  );
}
