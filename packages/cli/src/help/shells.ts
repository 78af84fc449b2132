export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export const shellNames = 'bash, zsh, fish or powershell';
export type Shell = (typeof shells)[number];

/** Each runs `tonerow complete` for the candidates: one per line with a description after a tab, or `:files`. */
const scripts: Record<Shell, string> = {
  bash: `# bash completion for tonerow: eval "$(tonerow completion bash)"
_tonerow() {
  local line cur="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" kept=''
  # bash takes "=" and ":" for words of their own, and replaces only what follows them
  [[ $before == : ]] && kept="\${COMP_WORDS[COMP_CWORD-2]}:"
  [[ $cur == : ]] && kept="$before:"
  [[ $cur == [=:] ]] && cur=''
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur")
      return
    fi
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("\${line#"$kept"}")
  done < <(tonerow complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _tonerow tonerow
`,
  zsh: `#compdef tonerow
# zsh completion for tonerow: eval "$(tonerow completion zsh)"
_tonerow() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      [[ $words[CURRENT] == --*=* ]] && compset -P '*='
      _files
      return
    fi
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(tonerow complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)
  [[ $words[CURRENT] == --*=* ]] && compset -P '*='
  _describe -t words 'tonerow' found
}
if [ "\${funcstack[1]}" = _tonerow ]; then _tonerow "$@"; else compdef _tonerow tonerow; fi
`,
  fish: `# fish completion for tonerow: tonerow completion fish | source
function __tonerow_complete
  set -l current (commandline -ct | string replace -r '^["\\']' '')
  set -l found (tonerow complete -- (commandline -opc)[2..-1] "$current" 2>/dev/null)
  set -l option (string match -r -- '^--[\\w-]+=' "$current")
  if test "$found[1]" = :files
    set -l begun (string replace -- "$option" '' "$current")
    for path in (__fish_complete_path "$begun")
      echo "$option$path"
    end
    return
  end
  for word in $found
    echo "$option$word"
  end
end
complete -c tonerow -f -a '(__tonerow_complete)'
`,
  powershell: `# PowerShell completion for tonerow: tonerow completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName tonerow -ScriptBlock {
  param($word, $ast, $cursor)
  # what is left of the cursor, as it was typed; the last word may have only begun
  $typed = @($ast.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
  })
  if ($word -eq '') { $typed += '' }
  # older versions drop an empty argument
  if ($PSVersionTable.PSVersion -lt [version]'7.3') { $typed = @($typed | ForEach-Object { if ($_ -eq '') { '""' } else { $_ } }) }
  $found = @(tonerow complete '--' @typed 2>$null)
  $option = if ($word -match '^(--[\\w-]+=)') { $Matches[1] } else { '' }
  if ($found[0] -eq ':files') {
    [System.Management.Automation.CompletionCompleters]::CompleteFilename($word.Substring($option.Length)) | ForEach-Object {
      [System.Management.Automation.CompletionResult]::new($option + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
    }
    return
  }
  $found | ForEach-Object {
    $name, $about = $_ -split "\\t", 2
    if (-not $about) { $about = $name }
    [System.Management.Automation.CompletionResult]::new($option + $name, $name, 'ParameterValue', $about)
  }
}
`,
};

/** The script that a shell evaluates when it starts. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
