import type { Noun } from '#define/command.ts';
import { shopsConnect } from './connect.ts';
import { shopsDecide } from './decide.ts';
import { shopsDelete } from './delete.ts';
import { shopsEdit } from './edit.ts';
import { shopsItems } from './items.ts';
import { shopsList } from './list.ts';
import { shopsMap } from './map.ts';
import { shopsOpen } from './open.ts';
import { shopsOrder } from './order.ts';
import { shopsOrderChoices } from './order-choices.ts';
import { shopsOrders } from './orders.ts';
import { shopsPause } from './pause.ts';
import { shopsReconcile } from './reconcile.ts';
import { shopsRecord } from './record.ts';
import { shopsReplay } from './replay.ts';
import { shopsReports } from './reports.ts';
import { shopsResend } from './resend.ts';
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
    shopsOpen,
    shopsRotate,
    shopsPause,
    shopsResume,
    shopsReconcile,
    shopsDelete,
    shopsItems,
    shopsMap,
    shopsUnmap,
    shopsReports,
    shopsOrders,
    shopsOrderChoices,
    shopsOrder,
    shopsDecide,
    shopsEdit,
    shopsResend,
    shopsReplay,
    shopsRecord,
  ],
};
