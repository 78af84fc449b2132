import { createFileRoute } from '@tanstack/react-router';
import { ResellerPage } from '#features/resellers/reseller-page.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/resellers/$id')({
  beforeLoad: requireDeveloper,
  component: ResellerScreen,
});

function ResellerScreen() {
  const { id } = Route.useParams();
  return <ResellerPage key={id} id={id} />;
}
