import type { Command } from './command.ts';
import { COLOR_CHOICES } from './output/color.ts';
import { VALUES } from './values.ts';

export interface OptionSpec {
  /** As commander takes them, such as `--limit <n>`. */
  flags: string;
  about: string;
  fallback?: string | undefined;
  repeatable?: boolean;
  /** What it can be, where that is a short list. */
  values?: readonly string[] | undefined;
}

const ONCE: OptionSpec[] = [
  { flags: '--resume', about: 'get the answer of the last identical run, if that was lost' },
  { flags: '--no-resume', about: 'do it again, although the answer of the last identical run was lost' },
  { flags: '--idempotency-key <key>', about: 'a repeat with the same key within a day gets the first answer' },
];

const FORCE: OptionSpec = { flags: '--force', about: 'overwrite a file that exists' };

/** What every command takes. */
export const EVERYWHERE: OptionSpec[] = [
  { flags: '--json', about: 'answer in JSON; --json=id,name for these fields alone' },
  { flags: '--fields <names>', about: 'the same as --json=NAMES' },
  { flags: '--jq <program>', about: 'what a jq program makes of the JSON' },
  { flags: '--quiet', about: 'no messages on stderr but errors' },
  { flags: '--no-input', about: 'never ask' },
  { flags: '--color <when>', about: 'auto, always or never', fallback: 'auto', values: COLOR_CHOICES },
  { flags: '--profile <name>', about: 'which stored sign-in' },
  { flags: '--url <address>', about: 'address of the server' },
];

/** All options of a command: its own, and those that it shares with others. */
export function optionsOf(command: Command): OptionSpec[] {
  const own = (command.options ?? []).map(([flags, about, fallback]) => ({ flags, about, fallback }));
  const lists = (command.repeatable ?? []).map(([flags, about]) => ({ flags, about, repeatable: true }));
  const specs: OptionSpec[] = [
    ...own,
    ...lists,
    ...(command.once ? ONCE : []),
    ...(own.some(({ flags }) => /^--(out|report) /.test(flags)) ? [FORCE] : []),
    // a brand has a color too, and there --color is that one
    ...EVERYWHERE.filter(({ flags }) => !own.some((option) => nameOf(option.flags) === nameOf(flags))),
  ];
  return specs.map((spec) => ({ ...spec, values: spec.values ?? valuesOf(command, spec.flags) }));
}

/** `--limit` of `--limit <n>`. */
export function nameOf(flags: string): string {
  return flags.split(' ')[0] as string;
}

/** The words that an option or an argument can be, where they are few. */
export function valuesOf(command: Command, flags: string): readonly string[] | undefined {
  const name = nameOf(flags);
  const inline = /<([\w-]+(?:\|[\w-]+)+)>/.exec(flags)?.[1]?.split('|');
  return VALUES[command.path]?.[name] ?? inline;
}
