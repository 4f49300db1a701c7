import type { Candidate, CompletionNode, CompletionTable, ValueEntry } from './completion-table.js'

/** Makes the completion script for fish 3. */
export function formatFishScript({ global, connection, nodes, values }: CompletionTable): string {
  return `# Completion of smsrelay in fish. Made by: smsrelay completion fish

${formatNodes(nodes)}
function __smsrelay_global
    printf '%s\\t%s\\n' ${quoteCandidates(global)}
end

function __smsrelay_connection
    printf '%s\\t%s\\n' ${quoteCandidates(connection)}
end

# Prints the kind of a value, such as "message list --filter" or "message get 1", then its words.
function __smsrelay_value
    switch "$argv[1]"
${values.map(formatValue).join('\n')}
        case '*'
            return 1
    end
end

${mainFunction}
complete -c smsrelay -f -a '(__smsrelay_complete)'
`
}

function formatNodes(nodes: readonly CompletionNode[]): string {
  return `# Prints the subcommands of a command; fails if there is no such command.
function __smsrelay_subcommands
    switch "$argv[1]"
${nodes.map(formatSubcommands).join('\n')}
        case '*'
            return 1
    end
end

# Prints the flags of a command.
function __smsrelay_flags
    switch "$argv[1]"
${nodes
  .filter(({ common }) => common !== 'none')
  .map(formatFlags)
  .join('\n')}
    end
end
`
}

const mainFunction = `function __smsrelay_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l command ''
    set -l number 1
    set -l flag ''
    set -l prefix ''
    set -l rest ''
    set -l typed
    set -l program $words[1]
    set -e words[1]
    while set -q words[1]
        set -l word $words[1]
        set -e words[1]
        set flag ''
        if test -n "$rest"
            set number (math $number + 1)
        else if test "$word" = --
            set rest 1
        else if string match -q -- '-*' $word
            if not string match -q -- '*=*' $word; and __smsrelay_value "$command $word" >/dev/null
                if set -q words[1]
                    if contains -- $word --profile --url
                        set -a typed $word $words[1]
                    end
                    set -e words[1]
                else
                    set flag $word
                end
            else if string match -qr -- '^--(profile|url)=' $word
                set -a typed $word
            end
        else if test $number = 1; and __smsrelay_subcommands (string trim "$command $word") \\
                >/dev/null
            set command (string trim "$command $word")
        else
            set number (math $number + 1)
        end
    end
    if test -z "$flag$rest"; and string match -q -- '--*=*' $current
        set flag (string split -m 1 -- = $current)[1]
        set prefix $flag=
        set current (string split -m 1 -- = $current)[2]
    end
    set -l value
    if test -n "$flag"
        set value (__smsrelay_value "$command $flag")
    else if test -z "$rest"; and string match -q -- '-*' $current
        __smsrelay_flags $command
        return
    else
        if test $number = 1
            set -l subcommands (__smsrelay_subcommands $command)
            if set -q subcommands[1]
                printf '%s\\n' $subcommands
                return
            end
        end
        set value (__smsrelay_value "$command $number")
    end
    set -l kind $value[1]
    switch "$kind"
        case '' none
            return
        case words
            printf "$prefix%s\\n" $value[2..-1]
        case files
            __fish_complete_path $current | string replace -r '^' -- $prefix
        case directories
            __fish_complete_directories $current | string replace -r '^' -- $prefix
        case '*'
            $program complete $kind $typed 2>/dev/null | string replace -r '^' -- $prefix
    end
end
`

function formatSubcommands({ name, subcommands }: CompletionNode): string {
  const action =
    subcommands.length === 0 ? 'return 0' : `printf '%s\\t%s\\n' ${quoteCandidates(subcommands)}`
  return `        case ${quote(name)}\n            ${action}`
}

function formatFlags({ name, flags, common }: CompletionNode): string {
  const shared = common === 'connection' ? ['__smsrelay_connection'] : []
  const own = flags.length === 0 ? [] : [`printf '%s\\t%s\\n' ${quoteCandidates(flags)}`]
  const lines = [...own, ...shared, '__smsrelay_global'].map(line => `            ${line}`)
  return `        case ${quote(name)}\n${lines.join('\n')}`
}

function formatValue({ keys, kind, words }: ValueEntry): string {
  const items = [kind, ...words].map(quote).join(' ')
  return `        case ${keys.map(quote).join(' ')}\n            printf '%s\\n' ${items}`
}

function quoteCandidates(candidates: readonly Candidate[]): string {
  return candidates.flatMap(({ word, description }) => [quote(word), quote(description)]).join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
