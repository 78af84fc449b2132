import type { Base } from '../../platform/feature.ts';
import type { OnLowStock } from '../serials/index.ts';
import { Circulations } from './circulation.ts';
import { downloadRoutes } from './downloads.routes.ts';
import { StockDownloads } from './downloads.service.ts';
import { DrawLists } from './draw-lists.service.ts';
import { Draw, DrawItem, SerialDownload } from './draws.entity.ts';
import { drawRoutes } from './draws.routes.ts';
import { Draws } from './draws.service.ts';

export { StockEvent } from './draws.schemas.ts';

export const draws = {
  entities: [Draw, DrawItem, SerialDownload],

  create(base: Base, { notifications }: { notifications: { lowStock: OnLowStock } }) {
    const onLowStock: OnLowStock = (...low) => notifications.lowStock(...low);
    return {
      routes: [
        drawRoutes(new Draws({ ...base, onLowStock }), new DrawLists(base)),
        downloadRoutes(new StockDownloads(base), new Circulations(base)),
      ],
    };
  },
};
