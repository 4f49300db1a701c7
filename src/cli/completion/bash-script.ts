import type { Candidate, CompletionNode, CompletionTable, ValueEntry } from './completion-table.js'

/** Makes the completion script for bash 3.2 or newer. */
export function formatBashScript({ global, connection, nodes, values }: CompletionTable): string {
  return `# Completion of smsrelay in bash. Made by: smsrelay completion bash

# Sets subcommands and flags of the command $1; fails if there is no such command.
__smsrelay_node() {
  local global=${joinWords(global)} connection=${joinWords(connection)}
  subcommands='' flags=''
  case $1 in
${nodes.map(formatNode).join('\n')}
    *) return 1 ;;
  esac
}

# Sets kind and items of a value, such as "message list --filter" or "message get 1".
__smsrelay_value() {
  kind=none items=''
  case $1 in
${values.map(formatValue).join('\n')}
    *) return 1 ;;
  esac
}

${mainFunction}
complete -F _smsrelay smsrelay
`
}

const mainFunction = `_smsrelay() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' count=0 flag='' rest='' prefix='' i=1
  local subcommands flags kind items word item
  COMPREPLY=()
  # bash splits --flag=value into three words.
  [[ $current == = ]] && current=''
  while ((i < COMP_CWORD)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $rest ]]; then
      count=$((count + 1))
    elif [[ $word == -- ]]; then
      rest=1
    elif [[ $word == -* ]]; then
      flag=$word
      if [[ \${COMP_WORDS[i + 1]} == = ]]; then
        i=$((i + 2))
      elif [[ $word != *=* ]] && __smsrelay_value "$command $word"; then
        i=$((i + 1))
      fi
    elif ((count == 0)) && __smsrelay_node "\${command:+$command }$word"; then
      command="\${command:+$command }$word"
    else
      count=$((count + 1))
    fi
    i=$((i + 1))
  done
  ((i > COMP_CWORD)) || flag=''
  if [[ -z $flag && -z $rest && $current == --*=* ]]; then
    flag=\${current%%=*} prefix="\${current%%=*}=" current=\${current#*=}
  fi
  __smsrelay_node "$command"
  if [[ -n $flag ]]; then
    __smsrelay_value "$command $flag"
  elif [[ -z $rest && $current == -* ]]; then
    kind=words items=$flags
  elif ((count == 0)) && [[ -n $subcommands ]]; then
    kind=words items=$subcommands
  else
    __smsrelay_value "$command $((count + 1))"
  fi
  case $kind in
    none) ;;
    words)
      for item in $items; do
        [[ $item == "$current"* ]] && COMPREPLY+=("$prefix$item")
      done
      ;;
    files | directories)
      compopt -o filenames 2> /dev/null
      local action=-f
      [[ $kind == directories ]] && action=-d
      while IFS= read -r item; do
        COMPREPLY+=("$prefix$item")
      done < <(compgen "$action" -- "$current")
      ;;
    *)
      while IFS=$'\\t' read -r item _; do
        [[ $item == "$current"* ]] && COMPREPLY+=("$prefix$item")
      done < <("\${COMP_WORDS[0]}" complete "$kind" 2> /dev/null)
      ;;
  esac
  return 0
}
`

function formatNode({ name, subcommands, flags, common }: CompletionNode): string {
  const shared = { none: '', global: '$global ', connection: '$global $connection ' }[common]
  const words = subcommands.length === 0 ? '' : ` subcommands=${joinWords(subcommands)}`
  const own = flags.map(({ word }) => word).join(' ')
  const all = common === 'none' ? '' : ` flags="${`${shared}${own}`.trim()}"`
  return `    '${name}')${words}${all} ;;`
}

function formatValue({ keys, kind, words }: ValueEntry): string {
  const patterns = keys.map(key => (key.startsWith('* ') ? `*' ${key.slice(2)}'` : `'${key}'`))
  const items = words.length === 0 ? '' : ` items='${words.join(' ')}'`
  return `    ${patterns.join(' | ')}) kind=${kind}${items} ;;`
}

function joinWords(candidates: readonly Candidate[]): string {
  return `'${candidates.map(({ word }) => word).join(' ')}'`
}
