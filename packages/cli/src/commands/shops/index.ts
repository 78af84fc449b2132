import type { Noun } from '#define/command.ts';
import { shopsConnect } from './connect.ts';
import { shopsDelete } from './delete.ts';
import { shopsItems } from './items.ts';
import { shopsList } from './list.ts';
import { shopsMap } from './map.ts';
import { shopsOrder } from './order.ts';
import { shopsOrders } from './orders.ts';
import { shopsPause } from './pause.ts';
import { shopsRecord } from './record.ts';
import { shopsResume } from './resume.ts';
import { shopsRotate } from './rotate.ts';
import { shopsShow } from './show.ts';
import { shopsUnmap } from './unmap.ts';
import { shopsUpdate } from './update.ts';

export const shops: Noun = {
  name: 'shops',
  about: 'Shops whose sales become serials',
  commands: [
    shopsList,
    shopsShow,
    shopsConnect,
    shopsUpdate,
    shopsRotate,
    shopsPause,
    shopsResume,
    shopsDelete,
    shopsItems,
    shopsMap,
    shopsUnmap,
    shopsOrders,
    shopsOrder,
    shopsRecord,
  ],
};
