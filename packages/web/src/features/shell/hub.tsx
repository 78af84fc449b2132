import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { useTitle } from '../../lib/hooks.ts';
import { hubAt, hubTabsOf, restoredPlace } from '../../lib/hub-tab.ts';
import { useUser } from '../../lib/session.ts';
import { PageHeader, Panel } from '../../ui/page.tsx';

/** Catches every address of the dashboard that is not a screen: the current hub's title and all the tabs. */
export function Hub({ path }: { path: string }) {
  const user = useUser();
  const current = hubAt(restoredPlace(user).split('?')[0] ?? '');
  const title = current?.title ?? 'Dashboard';
  useTitle(title);
  return (
    <>
      <PageHeader title={title}>
        There is no page at <code className="font-mono text-sm break-all">{path}</code>. These are the available pages.
      </PageHeader>
      <Panel className="overflow-hidden">
        <nav aria-label="Tabs">
          <ul className="divide-y divide-line">
            {hubTabsOf(user)
              .filter(({ tab }) => tab !== 'Register')
              .map(({ tab, title: words, path: to }) => (
                <li key={tab}>
                  <Link
                    to={to}
                    className="group flex h-14 items-center gap-4 px-5 hover:bg-hover focus-visible:-outline-offset-2"
                  >
                    <span className="font-medium">{tab}</span>
                    <span className="text-sm text-muted">{tab === current?.tab ? 'Where you were' : ''}</span>
                    <span className="sr-only">{words}</span>
                    <ArrowRight
                      className="ml-auto size-4 text-muted transition-transform group-hover:translate-x-0.5"
                      aria-hidden
                    />
                  </Link>
                </li>
              ))}
          </ul>
        </nav>
      </Panel>
    </>
  );
}
