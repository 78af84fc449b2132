import { formatMoney, plural } from '#lib/format/format.ts';
import type { ImportDetail, ImportPlan } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { FactsPanel } from '#ui/details/facts.tsx';
import { FormError } from '#ui/states.tsx';
import { unusedHeads } from './steps.ts';
import { StepEnd } from './steps-nav.tsx';
import { useRun } from './use-import.ts';
import { answered, kindWords } from './words.ts';

/** The last step: once more what will happen, and the button. */
export function RunStep({ found, plan }: { found: ImportDetail; plan: ImportPlan }) {
  const run = useRun(found.id);
  const { check } = plan;
  if (!check) return null;
  const unused = unusedHeads(plan);
  return (
    <>
      <FactsPanel
        facts={[
          ['What', kindWords[found.kind]],
          ['To be added', plural(check.added, 'line')],
          ['Known already', check.known > 0 ? plural(check.known, 'line') : null],
          ['Refused and left out', check.rejected > 0 ? plural(check.rejected, 'line') : null],
          ['Sales', check.amount === null ? null : formatMoney(check.amount)],
          ['Takes the place of', plan.replaces ? 'An earlier import, which is taken back' : null],
          ['Time zone', check.time_zone.replaceAll('_', ' ')],
          ['Columns not used', unused.length > 0 ? unused.join(', ') : null],
          ...answered(plan).map(({ what, words }): [string, string] => [what, words]),
        ]}
      />
      <p className="text-muted">
        All of these lines are imported, or none if something fails. It goes on without this page. Nobody gets an email,
        and imports are never billed. While nothing was built on it, the import can be taken back.
      </p>
      {run.isError ? (
        <div className="mt-4">
          <FormError title="The import couldn't begin." error={run.error} />
        </div>
      ) : null}
      <StepEnd id={found.id} plan={plan} back="check">
        <Button variant="primary" onClick={() => run.mutate()} busy={run.isPending}>
          Import {plural(check.added, 'line')}
        </Button>
      </StepEnd>
    </>
  );
}
