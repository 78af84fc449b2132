import { commands } from './commands/index.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** A completion script made from the command tree. */
export function completion(shell: Shell): string {
  const paths = [...commands.map((command) => command.path), 'completion', 'help'];
  const heads = [...new Set(paths.map((path) => path.split(' ')[0] as string))].sort();
  const under = (head: string) =>
    paths.filter((path) => path.startsWith(`${head} `)).map((path) => path.split(' ')[1] as string);
  const nested = heads.filter((head) => under(head).length > 0);
  if (shell === 'fish') {
    return [
      `complete -c tonerow -f`,
      `complete -c tonerow -n '__fish_use_subcommand' -a '${heads.join(' ')}'`,
      ...nested.map(
        (head) => `complete -c tonerow -n '__fish_seen_subcommand_from ${head}' -a '${under(head).join(' ')}'`,
      ),
      '',
    ].join('\n');
  }
  const cases = nested.map((head) => `      ${head}) words="${under(head).join(' ')}" ;;`).join('\n');
  const script = `_tonerow() {
  local words=""
  case "$COMP_CWORD" in
    1) words="${heads.join(' ')}" ;;
    2) case "\${COMP_WORDS[1]}" in
${cases}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _tonerow tonerow
`;
  return shell === 'bash' ? script : `autoload -U +X bashcompinit && bashcompinit\n${script}`;
}
