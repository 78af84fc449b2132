import { createFileRoute } from '@tanstack/react-router';
import { TillScreen } from '../../features/till/till-screen.tsx';
import { requireReseller, requireSession } from '../../lib/guards.ts';
import { choiceParam } from '../../lib/search-params.ts';
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
