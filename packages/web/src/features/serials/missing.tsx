import { LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty } from '#ui/states.tsx';

/** For a URL whose serial or batch does not exist, or belongs to another account. */
export function Missing({ title, children, tab }: { title: string; children: string; tab?: 'batches' }) {
  return (
    <Panel>
      <Empty
        heading="h1"
        title={title}
        action={
          <LinkButton to="/dashboard/serials" search={tab ? { tab } : {}}>
            {tab ? 'See all batches' : 'See all serials'}
          </LinkButton>
        }
      >
        {children}
      </Empty>
    </Panel>
  );
}
