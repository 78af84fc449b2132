import { createFileRoute } from '@tanstack/react-router';
import { ConfirmTerminal } from '#features/auth/terminal/confirm-terminal.tsx';
import { searchSchema, text } from '#lib/navigation/search-params.ts';
import { requireSession } from '#lib/session/guards.ts';
import { Awaited } from './-awaited.tsx';

export const Route = createFileRoute('/device')({
  ...searchSchema({ code: text }),
  beforeLoad: requireSession,
  component: Device,
});

function Device() {
  const { code } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <>
      <ConfirmTerminal code={code} onCode={(entered) => void navigate({ search: entered ? { code: entered } : {} })} />
      <Awaited />
    </>
  );
}
