import { type RefObject, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { notify } from '#ui/toast.ts';
import { useRelease } from './use-release.ts';

interface ReleaseMachineProps {
  id: string;
  name: string;
  /** The list's heading, which gets the focus when this button disappears with its seat. */
  heading: RefObject<HTMLElement | null>;
}

/** Frees the seat of one machine after a confirmation, which stays open when the call fails. */
export function ReleaseMachine({ id, name, heading }: ReleaseMachineProps) {
  const [open, setOpen] = useState(false);
  const release = useRelease(id);
  const released = useRef(false);
  const confirm = () =>
    release.mutate(undefined, {
      onSuccess: () => {
        released.current = true;
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
        focusAfter={() => (released.current ? heading.current : null)}
        onConfirm={confirm}
      >
        The plugin on this machine stops at its next check, and its seat becomes available.
      </Confirm>
    </>
  );
}
