import { useTitle } from '#lib/hooks.ts';
import { LinkButton } from '#ui/button.tsx';
import { Empty } from '#ui/states.tsx';

export function NotAuthorized() {
  useTitle('Access denied');
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <Empty
        heading="h1"
        title="Access Denied: You do not have permission to view this page."
        action={
          <LinkButton to="/" variant="primary">
            Go to your dashboard
          </LinkButton>
        }
      />
    </div>
  );
}
