import { useTitle } from '#lib/hooks.ts';
import type { ListPlace } from '#lib/lists/list-place.ts';
import { List } from '#widgets/lists/list.tsx';
import type { BatchFilter } from '../list-filters.ts';
import { useGenerator } from '../use-generator.ts';
import { batchList } from './batch-list.tsx';

export function Batches({ place }: { place: ListPlace<BatchFilter> }) {
  useTitle('Serials: Batches');
  return <List of={batchList} place={place} onCreate={useGenerator()} />;
}
