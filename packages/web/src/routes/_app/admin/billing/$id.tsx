import { createFileRoute } from '@tanstack/react-router';
import { StoryPage } from '#features/admin/billing/story-page.tsx';

export const Route = createFileRoute('/_app/admin/billing/$id')({ component: StoryScreen });

function StoryScreen() {
  const { id } = Route.useParams();
  return <StoryPage key={id} id={id} />;
}
