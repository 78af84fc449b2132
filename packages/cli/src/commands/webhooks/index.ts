import type { Noun } from '#define/command.ts';
import { webhooksCreate } from './create.ts';
import { webhooksDelete } from './delete.ts';
import { webhooksDeliveries } from './deliveries.ts';
import { webhooksDelivery } from './delivery.ts';
import { webhooksEvents } from './events.ts';
import { webhooksKeys } from './keys.ts';
import { webhooksList } from './list.ts';
import { webhooksListen } from './listen.ts';
import { webhooksReplay } from './replay.ts';
import { webhooksRetry } from './retry.ts';
import { webhooksRotate } from './rotate.ts';
import { webhooksShow } from './show.ts';
import { webhooksTest } from './test.ts';
import { webhooksTrigger } from './trigger.ts';
import { webhooksTypes } from './types.ts';
import { webhooksUpdate } from './update.ts';
import { webhooksVerify } from './verify.ts';

export const webhooks: Noun = {
  name: 'webhooks',
  about: 'Events that are sent to your own servers',
  commands: [
    webhooksList,
    webhooksShow,
    webhooksCreate,
    webhooksUpdate,
    webhooksTest,
    webhooksRotate,
    webhooksKeys,
    webhooksDelete,
    webhooksDeliveries,
    webhooksDelivery,
    webhooksRetry,
    webhooksReplay,
    webhooksEvents,
    webhooksTypes,
    webhooksTrigger,
    webhooksListen,
    webhooksVerify,
  ],
};
