import { createFileRoute } from '@tanstack/react-router';
import { SerialScreen } from '#features/serials/serial/serial-screen.tsx';
import { requireDeveloper } from '#lib/session/guards.ts';

export const Route = createFileRoute('/_app/dashboard/serials/$serialId')({
  beforeLoad: requireDeveloper,
  component: Screen,
});

function Screen() {
  const { serialId } = Route.useParams();
  return <SerialScreen key={serialId} id={serialId} />;
}
