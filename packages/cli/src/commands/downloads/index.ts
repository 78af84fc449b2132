import type { Noun } from '#define/command.ts';
import { downloadsDevice } from './device.ts';
import { downloadsFind } from './find.ts';
import { downloadsGet } from './get.ts';
import { downloadsHelp } from './help.ts';
import { downloadsList } from './list.ts';
import { downloadsOffline } from './offline.ts';
import { downloadsOpen } from './open.ts';
import { downloadsOpenOrder } from './open-order.ts';
import { downloadsOrder } from './order.ts';
import { downloadsRelease } from './release.ts';
import { downloadsReleaseOffline } from './release-offline.ts';
import { downloadsUnlocks } from './unlocks.ts';

export const downloads: Noun = {
  name: 'downloads',
  about: 'Find, download and manage what a customer has redeemed',
  commands: [
    downloadsList,
    downloadsGet,
    downloadsFind,
    downloadsOpen,
    downloadsOrder,
    downloadsOpenOrder,
    downloadsRelease,
    downloadsDevice,
    downloadsUnlocks,
    downloadsOffline,
    downloadsReleaseOffline,
    downloadsHelp,
  ],
};
