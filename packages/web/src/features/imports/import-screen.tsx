import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTitle } from '#lib/hooks.ts';
import { useLive } from '#lib/live.ts';
import { importQuery } from '#lib/queries/imports.ts';
import type { ImportDetail } from '#lib/types.ts';
import { BackLink } from '#ui/button.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { PageHeader } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { CheckStep } from './check-step.tsx';
import { DiscardImport } from './discard-import.tsx';
import { ImportReport } from './import-report.tsx';
import { MapStep } from './map-step.tsx';
import { ReadStep } from './read-step.tsx';
import { RunStep } from './run-step.tsx';
import type { Step } from './step-names.ts';
import { isMoving, isOpen, shownStep } from './steps.ts';
import { StepsNav } from './steps-nav.tsx';
import { UndoImport } from './undo-import.tsx';
import { kindWords } from './words.ts';

/** A live event that is missed shows a little later. */
const MISSED = 3000;

interface ImportScreenProps {
  id: string;
  /** As the address has it. */
  step: Step | undefined;
}

/** One import, from the file to its report. Somebody who comes back finds it where they left it. */
export function ImportScreen({ id, step }: ImportScreenProps) {
  const queryClient = useQueryClient();
  const found = importQuery(id);
  const query = useQuery({
    ...found,
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? MISSED : false),
  });
  useTitle(query.data ? query.data.file_name : 'Import');
  useLive(({ type, data }) => {
    if (type !== 'import' || data.id !== id || !isMoving(data)) return;
    queryClient.setQueryData(found.queryKey, (before) => before && { ...before, ...data });
  });
  return (
    <>
      <BackLink to="/dashboard/imports" className="mb-4">
        Imports
      </BackLink>
      <OneThing query={query} found={query.data} what="import">
        {(whole) => <Whole found={whole} asked={step} />}
      </OneThing>
    </>
  );
}

function Whole({ found, asked }: { found: ImportDetail; asked: Step | undefined }) {
  const { plan, file_name, kind } = found;
  const navigate = useNavigate();
  if (!plan || !isOpen(found)) {
    return (
      <>
        <PageHeader title={file_name} actions={<UndoImport of={found} />}>
          {kindWords[kind]}
        </PageHeader>
        <ImportReport found={found} />
      </>
    );
  }
  const step = shownStep(asked, plan);
  return (
    <>
      <PageHeader
        title={file_name}
        guide="moving-in"
        actions={<DiscardImport variant="secondary" of={found} onDone={() => navigate({ to: '/dashboard/imports' })} />}
      >
        {plan.preset_name ? `${kindWords[kind]}, as ${plan.preset_name} exports them.` : `${kindWords[kind]}.`} Nothing
        is imported before the last step; you can leave and come back.
      </PageHeader>
      {found.state === 'failed' ? (
        <div className="mb-5">
          <Notice>
            {found.error ?? 'The import failed.'} Nothing was imported: change what is wrong, and run it again.
          </Notice>
        </div>
      ) : null}
      <StepsNav id={found.id} plan={plan} current={step} />
      {step === 'read' ? <ReadStep found={found} plan={plan} /> : null}
      {step === 'map' ? <MapStep found={found} plan={plan} /> : null}
      {step === 'check' ? <CheckStep found={found} plan={plan} /> : null}
      {step === 'run' ? <RunStep found={found} plan={plan} /> : null}
    </>
  );
}
