import { useTitle } from '../../lib/hooks.ts';
import { Badge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';
import { type Page, pageOf } from './pages.ts';

/** A placeholder for a future screen: what it will contain, and what to use until then. */
export function ComingSoon({ page }: { page: Page }) {
  const { title, lead, coming, today, links } = pageOf(page);
  useTitle(title);
  return (
    <>
      <PageHeader title={title}>
        <Badge className="mr-2">Soon</Badge>
        {lead}
      </PageHeader>
      <Panel className="grid md:grid-cols-2 md:divide-x md:divide-line max-md:divide-y max-md:divide-line">
        <section className="p-6 md:p-8">
          <h2 className="font-semibold">What will be here</h2>
          <ul className="mt-4 flex flex-col gap-3">
            {coming.map((line) => (
              <li key={line} className="flex gap-3 text-muted">
                <span className="mt-[7px] size-2 shrink-0 rounded-[2px] border border-line-strong" aria-hidden />
                {line}
              </li>
            ))}
          </ul>
        </section>
        <section className="p-6 md:p-8">
          <h2 className="font-semibold">What you can do today</h2>
          <p className="mt-4 text-muted">{today}</p>
          <div className="mt-5 flex flex-wrap gap-2">
            {links.map(({ words, to }) => (
              <LinkButton key={words} {...to}>
                {words}
              </LinkButton>
            ))}
          </div>
        </section>
      </Panel>
    </>
  );
}
