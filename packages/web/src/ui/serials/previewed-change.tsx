import { formatMoney, plural } from '#lib/format/format.ts';
import { Button } from '../button.tsx';
import { Confirm } from '../dialogs/confirm.tsx';
import { FormError } from '../states.tsx';

interface PreviewedChangeProps {
  /** The action, such as `Revoke`. */
  act: string;
  explain: string;
  /** Names what it changes, until that is counted. */
  unknown: string;
  /** The number of serials that the server would change, and the cost. */
  preview: {
    data: { count: number; skipped: number; cost?: number } | undefined;
    isError: boolean;
    error: unknown;
    isFetching: boolean;
    refetch: () => unknown;
  };
  open: boolean;
  plain: boolean;
  busy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before many serials are changed, with how many they are and what it costs. */
export function PreviewedChange({ act, explain, unknown, preview, open, plain, busy, ...does }: PreviewedChangeProps) {
  const found = preview.data;
  const price = found?.cost ? ` (${formatMoney(found.cost)})` : '';
  return (
    <Confirm
      open={open}
      onOpenChange={(next) => (next ? undefined : does.onClose())}
      title={found ? `${act} ${plural(found.count, 'serial')}?` : `${act} ${unknown}?`}
      action={found ? `${act} ${plural(found.count, 'serial')}${price}` : act}
      plain={plain}
      blocked={!found || found.count === 0}
      busy={busy}
      onConfirm={does.onConfirm}
    >
      <p>{explain}</p>
      {preview.isError ? (
        <div className="flex flex-col items-start gap-3">
          <FormError title="We couldn't check what would change." error={preview.error} />
          <Button size="sm" onClick={() => preview.refetch()} busy={preview.isFetching}>
            Retry
          </Button>
        </div>
      ) : !found ? (
        <span className="skeleton block h-4 w-56" />
      ) : found.skipped > 0 ? (
        <p>{plural(found.skipped, 'serial')} would stay as they are.</p>
      ) : null}
    </Confirm>
  );
}
