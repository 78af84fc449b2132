import { createFileRoute } from '@tanstack/react-router';
import { DeveloperPage } from '#features/developers-i-sell/developer-page.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/developers/$id')({
  beforeLoad: requireReseller,
  component: DeveloperScreen,
});

function DeveloperScreen() {
  const { id } = Route.useParams();
  return <DeveloperPage key={id} id={id} />;
}
