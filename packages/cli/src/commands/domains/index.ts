import type { Noun } from '../../define-command.ts';
import { domainsAdd } from './add.ts';
import { domainsRemove } from './remove.ts';
import { domainsStatus } from './status.ts';

export const domains: Noun = {
  name: 'domains',
  about: 'The redemption page at a host of your own',
  commands: [domainsAdd, domainsStatus, domainsRemove],
};
