import { lazy } from 'react';
import type { DialogProps } from './dialog-parts.tsx';
import { Later } from './lazy-mount.tsx';

const DialogPopup = lazy(() => import('./dialog-parts.tsx').then((module) => ({ default: module.DialogPopup })));
const FilterSheetPopup = lazy(() =>
  import('./dialog-parts.tsx').then((module) => ({ default: module.FilterSheetPopup })),
);
const SheetPopup = lazy(() => import('./dialog-parts.tsx').then((module) => ({ default: module.SheetPopup })));

export function Dialog(props: DialogProps) {
  return (
    <Later when={props.open}>
      <DialogPopup {...props} />
    </Later>
  );
}

/** A panel from the left edge: the menu of a phone. */
export function Sheet(props: DialogProps) {
  return (
    <Later when={props.open}>
      <SheetPopup {...props} />
    </Later>
  );
}

/** A panel from the lower edge of a phone, or from the right edge of a wider screen: the filters of a list. */
export function FilterSheet(props: DialogProps) {
  return (
    <Later when={props.open}>
      <FilterSheetPopup {...props} />
    </Later>
  );
}
