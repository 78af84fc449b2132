import { type Command, Help } from 'commander';

/** The line above the options of a help: its own, or those of every command. */
const OPTIONS = /^(Common options|Options):$/m;

/** The help of a command, with examples before its options: they are what most look for. And where the server has more. */
export function withExamples(command: Command, examples: readonly string[], server: string): void {
  const shown = `Examples:\n${examples.map((example) => `  ${example}\n`).join('')}\n`;
  command.configureHelp({
    formatHelp(this: Help, target, helper) {
      const text = Help.prototype.formatHelp.call(this, target, helper);
      const at = text.search(OPTIONS);
      return `${text.slice(0, at)}${shown}${text.slice(at)}`;
    },
  });
  command.addHelpText('after', `\nMore: ${server}/help (guides), ${server}/docs (API)`);
}
