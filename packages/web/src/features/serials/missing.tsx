import { LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty } from '#ui/states.tsx';

interface MissingProps {
  title: string;
  children: string;
  batches?: boolean;
}

/** Shown for a URL whose serial or batch does not exist, or belongs to another account. */
export function Missing({ title, children, batches = false }: MissingProps) {
  return (
    <Panel>
      <Empty
        heading="h1"
        title={title}
        action={
          <LinkButton to={batches ? '/dashboard/serials/batches' : '/dashboard/serials'}>
            {batches ? 'See all batches' : 'See all serials'}
          </LinkButton>
        }
      >
        {children}
      </Empty>
    </Panel>
  );
}
