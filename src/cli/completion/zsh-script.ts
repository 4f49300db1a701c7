import type { Candidate, CompletionNode, CompletionTable, ValueEntry } from './completion-table.js'

/** Makes the completion script for zsh, to be sourced or put into a directory of `fpath`. */
export function formatZshScript({ global, connection, nodes, values }: CompletionTable): string {
  return `#compdef smsrelay
# Completion of smsrelay in zsh. Made by: smsrelay completion zsh

# Sets subcommands and flags of the command $1; fails if there is no such command.
__smsrelay_node() {
  local -a global connection
  global=(${quoteCandidates(global)})
  connection=(${quoteCandidates(connection)})
  subcommands=() flags=()
  case $1 in
${nodes.map(formatNode).join('\n')}
    *) return 1 ;;
  esac
}

# Sets kind and items of a value, such as "message list --filter" or "message get 1".
__smsrelay_value() {
  kind=none items=()
  case $1 in
${values.map(formatValue).join('\n')}
    *) return 1 ;;
  esac
}

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
  local -a subcommands flags items
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
      items=("\${(@f)$("$words[1]" complete "$kind" 2> /dev/null)}")
      items=("\${(@)items//:/\\\\:}")
      items=("\${(@)items/$'\\t'/:}")
      [[ -n $items[1] ]] && _describe -V "$kind" items
      ;;
  esac
}
`

function formatNode({ name, subcommands, flags, common }: CompletionNode): string {
  const shared = { none: '', global: '$global ', connection: '$global $connection ' }[common]
  const words = subcommands.length === 0 ? '' : ` subcommands=(${quoteCandidates(subcommands)})`
  const all = common === 'none' ? '' : ` flags=(${shared}${quoteCandidates(flags)})`
  return `    '${name}')${words}${all} ;;`
}

function formatValue({ keys, kind, words }: ValueEntry): string {
  const patterns = keys.map(key => (key.startsWith('* ') ? `*' ${key.slice(2)}'` : `'${key}'`))
  const items = words.length === 0 ? '' : ` items=(${words.map(quote).join(' ')})`
  return `    ${patterns.join(' | ')}) kind=${kind}${items} ;;`
}

/** Each as \`word:description\`, the form of \`_describe\`. */
function quoteCandidates(candidates: readonly Candidate[]): string {
  return candidates
    .map(({ word, description }) => quote(`${word}:${description.replaceAll(':', '\\:')}`))
    .join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
