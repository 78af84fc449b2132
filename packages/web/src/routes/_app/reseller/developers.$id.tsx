import { createFileRoute } from '@tanstack/react-router';
import { DeveloperPage } from '../../../features/reseller/developer-page.tsx';
import { requireReseller } from '../../../lib/guards.ts';

export const Route = createFileRoute('/_app/reseller/developers/$id')({
  beforeLoad: requireReseller,
  component: DeveloperScreen,
});

function DeveloperScreen() {
  const { id } = Route.useParams();
  return <DeveloperPage key={id} id={id} />;
}
