import { quoteShellWord } from '../../util/text/shell-words.js'
import type { Candidate, CompletionTable } from './completion-table.js'
import { formatShellLookups, type ListSyntax } from './shell-lookups.js'

/** Makes the completion script for zsh, to be sourced or put into a directory of `fpath`. */
export function formatZshScript(table: CompletionTable): string {
  const syntax: ListSyntax = {
    empty: '()',
    common: [
      '  local -a global connection',
      `  global=(${quoteCandidates(table.global)})`,
      `  connection=(${quoteCandidates(table.connection)})`,
    ].join('\n'),
    formatSubcommands: subcommands => `(${quoteCandidates(subcommands)})`,
    formatFlags: (shared, flags) => `(${`${shared} ${quoteCandidates(flags)}`.trim()})`,
    formatWords: words => `(${words.map(quoteShellWord).join(' ')})`,
  }
  return `#compdef smsrelay
# Completion of smsrelay in zsh. Made by: smsrelay completion zsh

${formatShellLookups(table, syntax)}
${mainFunction}
if [[ $funcstack[1] == _smsrelay ]]; then
  _smsrelay "$@"
else
  compdef _smsrelay smsrelay
fi
`
}

const mainFunction = `_smsrelay() {
  local command='' flag='' rest='' kind word
  local -i count=0 i=2
  local -a subcommands flags items typed
  while ((i < CURRENT)); do
    word=$words[i]
    if [[ -n $rest ]]; then
      count=$((count + 1))
    elif [[ $word == -- ]]; then
      rest=1
    elif [[ $word == -* ]]; then
      if [[ $word != *=* ]] && __smsrelay_value "$command $word"; then
        flag=$word
        i=$((i + 1))
        ((i < CURRENT)) && [[ $word == (--profile|--url) ]] && typed+=($word "\${(Q)words[i]}")
      elif [[ $word == (--profile|--url)=* ]]; then
        typed+=("\${(Q)word}")
      fi
    elif ((count == 0)) && __smsrelay_node "\${command:+$command }$word"; then
      command="\${command:+$command }$word"
    else
      count=$((count + 1))
    fi
    i=$((i + 1))
  done
  ((i > CURRENT)) || flag=''
  if [[ -z $flag && -z $rest && $words[CURRENT] == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  __smsrelay_node "$command"
  if [[ -n $flag ]]; then
    __smsrelay_value "$command $flag"
  elif [[ -z $rest && $words[CURRENT] == -* ]]; then
    _describe -o 'flag' flags
    return
  elif ((count == 0 && $#subcommands > 0)); then
    _describe 'command' subcommands
    return
  else
    __smsrelay_value "$command $((count + 1))"
  fi
  case $kind in
    none) _message 'no completion' ;;
    words) compadd -- $items ;;
    files) _files ;;
    directories) _files -/ ;;
    *)
      items=("\${(@f)$("$words[1]" complete "$kind" $typed 2> /dev/null)}")
      items=("\${(@)items//:/\\\\:}")
      items=("\${(@)items/$'\\t'/:}")
      [[ -n $items[1] ]] && _describe -V "$kind" items
      ;;
  esac
}
`

/** Each as \`word:description\`, the form of \`_describe\`. */
function quoteCandidates(candidates: readonly Candidate[]): string {
  return candidates
    .map(({ word, description }) => quoteShellWord(`${word}:${description.replaceAll(':', '\\:')}`))
    .join(' ')
}
