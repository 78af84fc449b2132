import { useQuery } from '@tanstack/react-query';
import { formatDay } from '#lib/format/format.ts';
import { page } from '#lib/queries/operation.ts';
import type { ImportDetail, ImportPlan } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FormError } from '#ui/states.tsx';
import { useChange } from './use-import.ts';
import { broughtWords } from './words.ts';

interface CorrectionProps {
  id: string;
  kind: ImportDetail['kind'];
  plan: ImportPlan;
}

/** Asks which earlier import a file corrects, if any. That one is taken back as this one is imported. */
export function Correction({ id, kind, plan }: CorrectionProps) {
  const change = useChange(id);
  const list = useQuery(page('listImports', { query: { limit: 100 } }));
  const earlier = (list.data?.rows ?? []).filter(
    (row) => row.id !== id && row.state === 'complete' && !row.dry_run && row.count > 0 && row.kind === kind,
  );
  if (list.isError) {
    return (
      <div className="flex flex-col items-start gap-3">
        <FormError title="Earlier imports couldn't be loaded." error={list.error} />
        <Button size="sm" onClick={() => list.refetch()} busy={list.isFetching}>
          Retry
        </Button>
      </div>
    );
  }
  if (list.isPending) return <span className="skeleton h-9 max-w-md" />;
  if (earlier.length === 0 && plan.replaces === null)
    return <p className="text-sm text-muted">There is no earlier import of this kind that could be corrected.</p>;
  return (
    <Field
      label="It corrects"
      hint="What it changes is listed by the check. Nothing happens if something was built on the earlier import since."
      className="max-w-md"
    >
      {(control) => (
        <Select
          {...control}
          value={plan.replaces ?? ''}
          disabled={change.isPending}
          onChange={({ target }) => change.mutate({ replaces: target.value === '' ? null : target.value })}
        >
          <option value="">No earlier import</option>
          {plan.replaces && !earlier.some((row) => row.id === plan.replaces) ? (
            <option value={plan.replaces}>An earlier import</option>
          ) : null}
          {earlier.map((row) => (
            <option key={row.id} value={row.id}>
              {row.file_name}, {formatDay(row.started_at)}, {broughtWords(row)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
