import { lazy } from 'react';
import type { ConfirmProps } from './confirm-dialog.tsx';
import { Later } from './lazy-mount.tsx';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })));

/** A question before what can't be undone. */
export function Confirm(props: ConfirmProps) {
  return (
    <Later when={props.open}>
      <ConfirmDialog {...props} />
    </Later>
  );
}
