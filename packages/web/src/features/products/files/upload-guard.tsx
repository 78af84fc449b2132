import { useBlocker } from '@tanstack/react-router';
import { getToken } from '#lib/session/session.ts';
import { Confirm } from '#ui/dialogs/confirm.tsx';

/** Asks before leaving the page while files are uploading. */
export function UploadGuard({ running }: { running: () => boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => running() && getToken() !== null && current.pathname !== next.pathname,
    enableBeforeUnload: running,
    withResolver: true,
  });
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onOpenChange={(open) => (open ? undefined : blocker.reset?.())}
      title="Leave while a file is uploading?"
      action="Stop and leave"
      cancel="Stay here"
      onConfirm={() => blocker.proceed?.()}
    >
      <p>
        The upload stops, and what you typed on this page is lost. When you choose the same file again within a week, it
        goes on where it was.
      </p>
    </Confirm>
  );
}
