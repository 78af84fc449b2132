import { createFileRoute } from '@tanstack/react-router';
import { TillScreen } from '#features/till/till-screen.tsx';
import { choiceParam } from '#lib/navigation/search-params.ts';
import { requireReseller, requireSession } from '#lib/session/guards.ts';
import { Awaited } from '../-awaited.tsx';

interface TillSearch {
  tab?: 'today' | undefined;
}

export const Route = createFileRoute('/reseller/till')({
  validateSearch: (search: Record<string, unknown>): TillSearch => ({ tab: choiceParam(search.tab, ['today']) }),
  beforeLoad: (context) => {
    requireSession(context);
    requireReseller();
  },
  component: Screen,
});

function Screen() {
  const { tab = 'sell' } = Route.useSearch();
  return (
    <>
      <TillScreen tab={tab} />
      <Awaited />
    </>
  );
}
