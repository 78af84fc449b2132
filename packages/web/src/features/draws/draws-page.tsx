import { useTitle } from '#lib/hooks.ts';
import { LinkButton } from '#ui/button.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { SellOne } from '#widgets/sales/sell-one.tsx';
import { DrawList, type DrawsFilter } from './draw-list.tsx';
import { FileList } from './file-list.tsx';

interface DrawsPageProps {
  tab: 'draws' | 'files';
  filter: DrawsFilter;
  onFilter: (changed: Partial<DrawsFilter>) => void;
}

/** What a reseller has in circulation: codes that were drawn, and files that were taken. */
export function DrawsPage({ tab, filter, onFilter }: DrawsPageProps) {
  useTitle(tab === 'draws' ? 'Handed out' : 'Downloaded files');
  return (
    <>
      <PageHeader
        title="Handed out"
        guide="sell-by-hand"
        actions={
          <>
            <LinkButton to="/reseller/till">Open the till</LinkButton>
            <SellOne primary />
          </>
        }
      >
        {tab === 'draws'
          ? 'Codes that you sold or your shop has drawn, sale by sale, with their states.'
          : 'Files of codes that you have downloaded. Developers see them too.'}
      </PageHeader>
      <TabNav label="Handed out" className="mb-6">
        <TabLink to="/reseller/draws" search={{}} current={tab === 'draws'}>
          Draws
        </TabLink>
        <TabLink to="/reseller/draws" search={{ tab: 'files' }} current={tab === 'files'}>
          Files
        </TabLink>
      </TabNav>
      {tab === 'draws' ? <DrawList filter={filter} onFilter={onFilter} /> : <FileList />}
    </>
  );
}
