import { createFileRoute } from '@tanstack/react-router';
import { TillScreen } from '#features/till/till-screen.tsx';
import { oneOf, or, searchSchema } from '#lib/navigation/search-params.ts';
import { requireReseller, requireSession } from '#lib/session/guards.ts';
import { Awaited } from '../-awaited.tsx';

export const Route = createFileRoute('/reseller/till')({
  ...searchSchema({ tab: or(oneOf(['today']), 'sell') }),
  beforeLoad: (context) => {
    requireSession(context);
    requireReseller();
  },
  component: Screen,
});

function Screen() {
  return (
    <>
      <TillScreen {...Route.useSearch()} />
      <Awaited />
    </>
  );
}
