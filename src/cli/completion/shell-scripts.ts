/**
 * Scripts that ask `smsrelay complete` what may follow the line. It prints a line for each word:
 * the word, a tab, its description; or `:files` where the shell completes names of files itself.
 */
export const shellScripts = {
  bash: `_smsrelay() {
  local line word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS=$'\\t' read -r line _; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2> /dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${word#=}")
    else
      # bash has split the line at = and :, and completes what follows.
      COMPREPLY+=("\${line##*[=:]}")
    fi
  done < <("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
}
complete -F _smsrelay smsrelay`,
  zsh: `#compdef smsrelay
_smsrelay() {
  local line
  local -a offered
  for line in "\${(@f)$("$words[1]" complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    if [[ $line == :files ]]; then compset -P '--*='; _files; return; fi
    [[ -n $line ]] && offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe smsrelay offered
}
if [[ $funcstack[1] == _smsrelay ]]; then _smsrelay "$@"; else compdef _smsrelay smsrelay; fi`,
  fish: `function __smsrelay_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l prefix (string match -r -- '^--[^=]*=' "$words[-1]")
    for line in ($words[1] complete -- $words[2..-1] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (string replace -- "$prefix" '' "$words[-1]") |
                string replace -r '^' -- "$prefix"
        else
            printf '%s\\n' $line
        end
    end
end
complete -c smsrelay -f -a '(__smsrelay_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName smsrelay -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += '""' }
  & $commandAst.CommandElements[0].Value complete -- @words 2>$null | ForEach-Object {
    $word, $description = $_.Split("\`t", 2)
    if ($word -eq ':files') { return }
    if (-not $description) { $description = $word }
    $kind = 'ParameterValue'
    [System.Management.Automation.CompletionResult]::new($word, $word, $kind, $description)
  }
}`,
}
