import { Navigate } from '@tanstack/react-router';
import { useTitle } from '#lib/hooks.ts';
import { getToken } from '#lib/session/session.ts';
import { LinkButton } from '#ui/button.tsx';
import { Empty } from '#ui/states.tsx';

export function NotFound() {
  useTitle('Page not found');
  // A signed-out visitor sees the login screen at any address that isn't public.
  if (!getToken()) return <Navigate to="/login" replace />;
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <Empty
        heading="h1"
        title="Page not found"
        action={
          <LinkButton to="/dashboard" variant="primary">
            Go to the dashboard
          </LinkButton>
        }
      >
        There is no page at this address. It may have moved, or the link is incomplete.
      </Empty>
    </div>
  );
}
