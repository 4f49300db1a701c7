import type { Candidate, CompletionTable } from './completion-table.js'
import { formatShellLookups, type ListSyntax } from './shell-lookups.js'

/** Makes the completion script for bash 3.2 or newer. */
export function formatBashScript(table: CompletionTable): string {
  const { global, connection } = table
  const syntax: ListSyntax = {
    empty: "''",
    common: `  local global=${joinWords(global)} connection=${joinWords(connection)}`,
    formatSubcommands: joinWords,
    formatFlags: (shared, flags) =>
      `"${[shared, ...flags.map(({ word }) => word)].join(' ').trim()}"`,
    formatWords: words => `'${words.join(' ')}'`,
  }
  return `# Completion of smsrelay in bash. Made by: smsrelay completion bash

${formatShellLookups(table, syntax)}
${mainFunction}
complete -F _smsrelay smsrelay
`
}

const mainFunction = `_smsrelay() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' count=0 flag='' rest='' prefix='' i=1
  local subcommands flags kind items word item typed=()
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
      else
        word=''
      fi
      item=\${COMP_WORDS[i]}
      # bash splits http://host:80 at each colon.
      while [[ -n $word && \${COMP_WORDS[i + 1]} == : ]] && ((i + 2 < COMP_CWORD)); do
        item+=:\${COMP_WORDS[i + 2]}
        i=$((i + 2))
      done
      ((i < COMP_CWORD)) && [[ $word == --profile || $word == --url ]] && typed+=("$word" "$item")
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
      done < <("\${COMP_WORDS[0]}" complete "$kind" \${typed[@]+"\${typed[@]}"} 2> /dev/null)
      ;;
  esac
  return 0
}
`

function joinWords(candidates: readonly Candidate[]): string {
  return `'${candidates.map(({ word }) => word).join(' ')}'`
}
