import { createFileRoute } from '@tanstack/react-router';
import { ImportScreen } from '#features/imports/import-screen.tsx';
import { steps } from '#features/imports/step-names.ts';
import { oneOf, searchSchema } from '#lib/navigation/search-params.ts';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/imports/$importId')({
  ...searchSchema({ step: oneOf(steps) }),
  beforeLoad: requireDeveloper,
  component: Screen,
});

function Screen() {
  const { importId } = Route.useParams();
  const { step } = Route.useSearch();
  return <ImportScreen key={importId} id={importId} step={step} />;
}
