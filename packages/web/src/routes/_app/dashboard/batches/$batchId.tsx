import { createFileRoute } from '@tanstack/react-router';
import { BatchScreen } from '#features/serials/batches/batch-screen.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/batches/$batchId')({
  beforeLoad: requireDeveloper,
  component: Screen,
});

function Screen() {
  const { batchId } = Route.useParams();
  return <BatchScreen key={batchId} id={batchId} />;
}
