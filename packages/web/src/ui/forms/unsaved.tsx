import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../dialogs/confirm.tsx';

/** Asks before unsaved input is lost, on navigation and when the tab closes. */
export function UnsavedGuard({ dirty }: { dirty: () => boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty() && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => (open ? undefined : blocker.reset?.())}
      title="Leave without saving?"
      action="Discard changes"
      cancel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
    >
      <p>Your changes on this page have not been saved.</p>
    </Confirm>
  );
}
