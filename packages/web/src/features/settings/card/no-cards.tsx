import { Notice } from '#ui/states.tsx';

/** Shown on a server that takes no cards. */
export function NoCards() {
  return (
    <Notice tone="plain">
      Card payments are not set up on this server. Plans, quotas and figures work all the same, and nothing is charged.
    </Notice>
  );
}
