import type { Noun } from '#define/command.ts';
import { resellersCirculation } from './circulation.ts';
import { resellersDownloads } from './downloads.ts';
import { resellersEnd } from './end.ts';
import { resellersInvite } from './invite.ts';
import { resellersList } from './list.ts';
import { resellersMerge } from './merge.ts';
import { resellersMessage } from './message.ts';
import { resellersPause } from './pause.ts';
import { resellersRate } from './rate.ts';
import { resellersResume } from './resume.ts';
import { resellersShow } from './show.ts';
import { resellersStock } from './stock.ts';
import { resellersThreshold } from './threshold.ts';

export const resellers: Noun = {
  name: 'resellers',
  about: 'The resellers you work with',
  commands: [
    resellersList,
    resellersShow,
    resellersStock,
    resellersInvite,
    resellersRate,
    resellersThreshold,
    resellersPause,
    resellersResume,
    resellersEnd,
    resellersMerge,
    resellersMessage,
    resellersCirculation,
    resellersDownloads,
  ],
};
