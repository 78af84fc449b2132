import type { Noun } from '#define/command.ts';
import { pluginNew } from './new.ts';

export const plugin: Noun = {
  name: 'plugin',
  about: 'Begin a licensed plugin',
  commands: [pluginNew],
};
