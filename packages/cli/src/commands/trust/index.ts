import type { Noun } from '#define/command.ts';
import { trustAdd } from './add.ts';
import { trustList } from './list.ts';
import { trustRemove } from './remove.ts';
import { trustShow } from './show.ts';
import { trustToken } from './token.ts';
import { trustUpdate } from './update.ts';

export const trust: Noun = {
  name: 'trust',
  about: 'CI jobs that sign in without a secret',
  commands: [trustList, trustShow, trustAdd, trustUpdate, trustRemove, trustToken],
};
