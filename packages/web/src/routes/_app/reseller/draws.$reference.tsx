import { createFileRoute } from '@tanstack/react-router';
import { DrawScreen } from '#features/draws/draw-screen.tsx';
import { requireReseller } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/reseller/draws/$reference')({
  beforeLoad: requireReseller,
  component: Screen,
});

function Screen() {
  const { reference } = Route.useParams();
  return <DrawScreen key={reference} reference={reference} />;
}
