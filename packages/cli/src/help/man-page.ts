import { commands } from '#commands/index.ts';
import type { Command } from '#define/command.ts';
import { EVERYWHERE, envOf, type OptionSpec, optionsOf } from '#define/options.ts';
import { VERSION } from '#version.ts';
import { topics } from './topics.ts';

/** The manual page, in roff: `tonerow help man | man -l -`. */
export function manPage(): string {
  return [
    `.TH TONEROW 1 "" "tonerow ${VERSION}" "Tonerow"`,
    '.SH NAME',
    'tonerow \\- licensing and serial numbers for audio plugins, from the terminal',
    '.SH SYNOPSIS',
    '.B tonerow',
    '.I command',
    '[\\fIarguments\\fR] [\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    text(
      'Results go to standard output, messages to standard error. Without a terminal, nothing prompts. ' +
        'Sign in with "tonerow login", or set TONEROW_TOKEN.',
    ),
    '.SH COMMON OPTIONS',
    ...EVERYWHERE.flatMap(option),
    '.SH COMMANDS',
    ...[...commands].sort((a, b) => a.path.localeCompare(b.path)).flatMap(section),
    ...Object.entries(topics).flatMap(([name, topic]) => [
      `.SH ${name.toUpperCase().replace('-', ' ')}`,
      ...verbatim(topic.trimEnd().split('\n').slice(2)),
    ]),
    '',
  ].join('\n');
}

function section(command: Command): string[] {
  const common = new Set(EVERYWHERE.map(({ flags }) => flags));
  const own = optionsOf(command).filter(({ flags }) => !common.has(flags));
  return [
    `.SS tonerow ${text([command.path, ...command.args.map(([name]) => name)].join(' '))}`,
    text(command.summary.replace(/[^.?!]$/, '$&.')),
    ...command.args.flatMap(([name, about]) => (about === '' ? [] : ['.TP', `\\fI${text(name)}\\fR`, text(about)])),
    ...own.flatMap(option),
    '.PP',
    ...verbatim(command.examples.map((example) => `  ${example}`)),
  ];
}

function option(spec: OptionSpec): string[] {
  const { flags, about, fallback, values, repeatable } = spec;
  const [name, value] = flags.split(/ (?=<)(.*)/s);
  const more = [
    about,
    ...(values && !about.includes(values[0] as string) ? [`one of ${values.join(', ')}`] : []),
    ...(repeatable ? ['repeatable'] : []),
    ...(fallback ? [`default ${fallback}`] : []),
  ].filter((part) => part !== '');
  return [
    '.TP',
    `\\fB${text(name as string)}\\fR${value ? ` \\fI${text(value)}\\fR` : ''}`,
    text(`${more.join('; ')}${envOf(spec)}`),
  ];
}

function verbatim(lines: string[]): string[] {
  return ['.nf', ...lines.map(text), '.fi'];
}

/** Escapes text for roff: hyphens stay searchable, and no line is taken for a request. */
function text(plain: string): string {
  return plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(\s*)([.'])/gm, '$1\\&$2')
    .replace(/\s*\n\s*/g, '\n.br\n');
}
