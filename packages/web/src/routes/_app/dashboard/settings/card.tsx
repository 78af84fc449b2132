import { createFileRoute } from '@tanstack/react-router';
import { CardScreen } from '../../../../features/settings/card/card-screen.tsx';
import { requireDeveloper } from '../../../../lib/guards.ts';
import { ownDocument } from '../../../../lib/own-document.ts';

export const Route = createFileRoute('/_app/dashboard/settings/card')({
  beforeLoad: ({ location, preload }) => {
    requireDeveloper();
    return preload ? undefined : ownDocument(location.pathname, location.href);
  },
  component: CardScreen,
});
