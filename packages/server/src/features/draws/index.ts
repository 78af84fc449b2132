import type { OnLowStock } from '#features/serials';
import type { Base } from '#platform/feature.ts';
import { Circulations } from './circulation.ts';
import { downloadRoutes } from './downloads.routes.ts';
import { StockDownloads } from './downloads.service.ts';
import { DrawLists } from './draw-lists.service.ts';
import { drawRoutes } from './draws.routes.ts';
import { StockEvent } from './draws.schemas.ts';
import { Draws } from './draws.service.ts';
import { HandOuts } from './hand-out.service.ts';
import { OrderDraws } from './order-draws.ts';
import { sellingRoutes } from './selling/selling.routes.ts';
import { Selling, type SoldCodes } from './selling/selling.service.ts';
import { tables } from './tables.ts';

export type { DrawnCode, OrderDraws, Shortage } from './order-draws.ts';

export const draws = {
  entities: tables.entities,
  events: [StockEvent] as const,

  create(platform: Base, { emails, soldCodes }: { emails: { lowStock: OnLowStock }; soldCodes: SoldCodes }) {
    const base = { ...platform, db: tables.of(platform.db) };
    const onLowStock: OnLowStock = (...low) => emails.lowStock(...low);
    const handOuts = new HandOuts({ ...base, onLowStock });
    return {
      api: { orderDraws: new OrderDraws({ ...base, onLowStock, handOuts, soldCodes }) },
      routes: [
        drawRoutes(new Draws({ ...base, handOuts }), new DrawLists(base)),
        sellingRoutes(new Selling({ ...base, handOuts, soldCodes })),
        downloadRoutes(new StockDownloads(base), new Circulations(base)),
      ],
    };
  },
};
