import { COLOR_CHOICES } from '#output/color.ts';
import type { Command } from './command.ts';
import type { Option } from './option-types.ts';

export interface OptionSpec {
  /** As commander takes them, such as `--limit <n>`. */
  flags: string;
  about: string;
  /** The settings in the environment that do the same, or that it replaces. */
  env?: readonly string[] | undefined;
  fallback?: string | undefined;
  repeatable?: boolean | undefined;
  /** Its possible values, where they are few. */
  values?: readonly string[] | undefined;
}

const ONCE: OptionSpec[] = [
  { flags: '--resume', about: 'get the response of the last identical run, if it was lost' },
  { flags: '--no-resume', about: 'run it again, although the response of the last identical run was lost' },
  { flags: '--idempotency-key <key>', about: 'a repeat with the same key within a day returns the first response' },
];

const FORCE: OptionSpec = { flags: '--force', about: 'overwrite a file that exists' };

const BOM: OptionSpec = { flags: '--bom', about: 'begin a CSV with a byte order mark, for Excel' };

/** Options of every command. */
export const EVERYWHERE: OptionSpec[] = [
  { flags: '--json', about: 'print JSON; --json id,name for only these fields' },
  { flags: '--fields <names>', about: 'the same as --json NAMES' },
  { flags: '--jq <program>', about: 'filter the JSON with a jq program' },
  { flags: '-t, --template <template>', about: 'format the JSON with a Go template' },
  { flags: '--quiet', about: 'print only errors to stderr' },
  { flags: '--no-input', about: 'never prompt', env: ['TONEROW_PROMPT_DISABLED'] },
  {
    flags: '--color <when>',
    about: 'auto, always or never; --no-color is never',
    env: ['NO_COLOR', 'FORCE_COLOR'],
    fallback: 'auto',
    values: COLOR_CHOICES,
  },
  { flags: '--profile <name>', about: 'which stored sign-in to use', env: ['TONEROW_PROFILE'] },
  { flags: '--url <address>', about: 'URL of the server', env: ['TONEROW_URL'] },
];

/**
 * `branding set` has a --color of its own, that of the brand: it replaces one that only decides how output looks, and
 * `run` knows of it.
 */
const REPLACEABLE = ['--color'];

/** All options of a command: its own and the shared ones. */
export function optionsOf(command: Command): OptionSpec[] {
  const own = Object.entries(command.options).map(([name, option]) => specOf(name, option));
  return [
    ...own,
    ...sharedBy(command).filter(({ flags }) => !own.some((each) => nameOf(each.flags) === nameOf(flags))),
  ];
}

function sharedBy({ options, once }: Pick<Command, 'options' | 'once'>): OptionSpec[] {
  const intoFile = 'out' in options || 'report' in options;
  return [
    ...(once ? ONCE : []),
    ...(intoFile ? [FORCE] : []),
    ...(intoFile || 'csv' in options ? [BOM] : []),
    ...EVERYWHERE,
  ];
}

/** @throws {Error} for an option with the name of a shared one, which would take its value, too: --url sends the credential there. */
export function mustNotShadow(command: Pick<Command, 'path' | 'options' | 'once'>): void {
  const taken = [...sharedBy(command).map(({ flags }) => nameOf(flags)), '--help', '--version'];
  const own = Object.keys(command.options).map(flagOf);
  const shadow = own.find((name) => taken.includes(name) && !REPLACEABLE.includes(name));
  if (shadow) throw new Error(`"${command.path}" declares ${shadow}, which it has already: give it another name.`);
}

function specOf(name: string, { value, letter, ...option }: Option<unknown>): OptionSpec {
  const flags = [letter ? `-${letter},` : '', flagOf(name), value ?? ''].filter((part) => part !== '').join(' ');
  return { flags, ...option, values: option.values ?? wordsIn(value ?? '') };
}

/**
 * The values of a command's own options.
 * @param given what commander has read.
 * @throws {UsageError} that names the option whose value is not valid.
 */
export function parseOptions({ options }: Command, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, option.parse(readAs(name, given), flagOf(name))]),
  );
}

/** Commander reads `--no-browser` as a `browser` that is false, and true without it. */
function readAs(name: string, given: Record<string, unknown>): unknown {
  const [, first, rest] = /^no([A-Z])(\w*)$/.exec(name) ?? [];
  return first === undefined ? given[name] : given[`${first.toLowerCase()}${rest}`] === false;
}

/** `--dry-run` of `dryRun`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The end of an option's line in the help: ` [$TONEROW_URL]`. */
export function envOf({ env }: OptionSpec): string {
  return env === undefined ? '' : ` [${env.map((name) => `$${name}`).join(', ')}]`;
}

/** `--limit` of `--limit <n>`, and `--template` of `-t, --template <template>`. */
export function nameOf(flags: string): string {
  return /--[\w-]+/.exec(flags)?.[0] as string;
}

/** The words in a placeholder such as `<on|off>`. */
function wordsIn(value: string): string[] | undefined {
  return /^<([\w-]+(?:\|[\w-]+)+)>$/.exec(value)?.[1]?.split('|');
}
