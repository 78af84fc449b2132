import type { ShopDelivery } from '#lib/types.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';

export const reportWords: Record<ShopDelivery['state'], string> = {
  received: 'Waiting',
  done: 'Used',
  ignored: 'Ignored',
  failed: 'Not understood',
};

export const reportTones: Record<ShopDelivery['state'], BadgeTone> = {
  received: 'warn',
  done: 'good',
  ignored: 'plain',
  failed: 'bad',
};

const means: Record<ShopDelivery['state'], string> = {
  received: 'It is kept and will be worked on.',
  done: 'What it reports is in its order.',
  ignored: 'Nothing had to be done about it.',
  failed: 'It could not be read. Its order is as it was.',
};

export const ReportBadge = ({ state, why }: Pick<ShopDelivery, 'state' | 'why'>) => (
  <Badge tone={reportTones[state]} means={why ?? means[state]}>
    {reportWords[state]}
  </Badge>
);
