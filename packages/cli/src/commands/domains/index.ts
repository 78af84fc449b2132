import type { Noun } from '#define/command.ts';
import { domainsAdd } from './add.ts';
import { domainsRemove } from './remove.ts';
import { domainsStatus } from './status.ts';

export const domains: Noun = {
  name: 'domains',
  about: 'Serve the redemption page at your own domain',
  commands: [domainsAdd, domainsStatus, domainsRemove],
};
