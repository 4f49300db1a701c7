import { wrapText } from '../terminal/terminal-text.js'
import {
  type CommandLine,
  commonGroups,
  isCommonGroup,
  type ManifestFlag,
  takesFlagsOfServe,
  toCommandName,
} from './command-manifest.js'

export interface Variable {
  readonly name: string
  readonly flags: readonly string[]
  readonly meaning: string
}

interface VariableUse {
  readonly command: string
  readonly topic: string
  readonly flag: ManifestFlag
}

/** Variables of programs and variables that no flag sets, by the topic that reads them. */
const otherVariables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'SEVERAL COMMANDS': {
    SMSRELAY_PASSWORD: 'Password of an account, for the account commands and token issue.',
    SMSRELAY_DATABASE_URL_FILE: 'File that contains the URL of the database.',
    'PGPASSWORD, PGPASSFILE': 'Password of the database; file with such passwords.',
    SMSRELAY_CONFIG_DIR: 'Directory of saved profiles and setups.',
    'NO_COLOR, FORCE_COLOR, TERM': 'No colors with NO_COLOR, FORCE_COLOR=0 or TERM=dumb.',
    'HTTPS_PROXY, HTTP_PROXY, NO_PROXY':
      'Proxy of commands and phones for https and for http; hosts that they reach without it.',
  },
  PHONE: {
    SMSRELAY_SIM_PIN: 'PIN of the SIM, for --driver modem.',
    SMSRELAY_SMPP_PASSWORD: 'Password of the account, for --driver smpp.',
    SMSRELAY_HTTP_PASSWORD: 'Password at the provider, for --driver http.',
    SMSRELAY_OAUTH_SECRET: 'Secret of the option oauth-id, for --driver http.',
    SMSRELAY_WEBHOOK_SECRET: "End of the webhook's address, for providers that sign nothing.",
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN':
      'Keys of AWS, for --driver http.',
  },
  VERIFY: {
    SMSRELAY_OTHER_SECRET_KEY: 'Secret key of another account, which owns nothing of the first.',
    SMSRELAY_OTHER_API_KEY: 'API key of the other account.',
    SMSRELAY_OTHER_APP_KEY: 'Application key of the other account.',
  },
  SERVE: {
    'LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES': 'Sockets that systemd has opened for the relay.',
    SMSRELAY_DEBUG: '1 adds the stack of internal errors to a log of text.',
    SMSRELAY_MAIL_RELAY_FILE: 'File that contains the value of SMSRELAY_MAIL_RELAY.',
    SMSRELAY_METRICS_TOKEN_FILE: 'File that contains the value of SMSRELAY_METRICS_TOKEN.',
  },
}

export const environmentRules = [
  'Flags override the environment; the environment overrides the saved profile.',
  'A repeatable flag takes one value a line. A switch takes true or false. An empty variable is ' +
    'not set. A variable is ignored if a flag on the command line excludes its flag, or if its ' +
    'flag needs another one that is not set.',
  'In Kubernetes, a service named "smsrelay" sets SMSRELAY_PORT to an address; give it another ' +
    'name, or set enableServiceLinks to false.',
]

/**
 * Lists the environment variables of every flag and of the programs, by topic; one that means
 * something else for some commands has an entry for each meaning.
 */
export function listVariables({ commands }: CommandLine): Map<string, Variable[]> {
  const uses = new Map<string, VariableUse[]>()
  for (const command of commands) {
    if (takesFlagsOfServe(command, commands)) continue
    const name = toCommandName(command)
    const topic = (name.split(' ')[0] ?? '').toUpperCase()
    for (const flag of Object.values(command.flags)) {
      if (flag.env === undefined || flag.hidden === true) continue
      uses.set(flag.env, [...(uses.get(flag.env) ?? []), { command: name, topic, flag }])
    }
  }
  const groups = new Map<string, Variable[]>()
  const add = (group: string, variable: Variable) => {
    groups.set(group, [...(groups.get(group) ?? []), variable])
  }
  for (const [name, each] of uses) {
    for (const same of groupByMeaning(each)) add(chooseGroup(each), toVariable(name, same))
  }
  for (const [group, others] of Object.entries(otherVariables)) {
    for (const [name, meaning] of Object.entries(others)) {
      if (!uses.has(name)) add(group, { name, flags: [], meaning })
    }
  }
  const compare = (a: Variable, b: Variable) => Number(a.name > b.name) - Number(a.name < b.name)
  for (const variables of groups.values()) variables.sort(compare)
  const first = [...commonGroups, 'SEVERAL COMMANDS']
  const names = [...first, ...[...groups.keys()].filter(name => !first.includes(name)).sort()]
  return new Map(names.map(name => [name, groups.get(name) ?? []]))
}

export function formatEnvironment(commandLine: CommandLine, columns: number): string {
  const sections = [...listVariables(commandLine)].map(([group, variables]) => {
    const entries = variables.map(({ name, flags, meaning }, at) => {
      const text = flags.length === 0 ? meaning : `${flags.join(', ')}: ${meaning}`
      const title = variables[at - 1]?.name === name ? '' : `  ${name}\n`
      return `${title}${wrapText(text, columns - 6, '      ')}`
    })
    return [group, ...entries].join('\n')
  })
  return [...environmentRules.map(rule => wrapText(rule, columns)), ...sections].join('\n\n')
}

function chooseGroup(uses: readonly VariableUse[]): string {
  const common = uses.find(({ flag }) => isCommonGroup(flag.helpGroup ?? ''))
  if (common !== undefined) return common.flag.helpGroup ?? ''
  const topics = [...new Set(uses.map(({ topic }) => topic))]
  return topics.length === 1 ? topics.join() : 'SEVERAL COMMANDS'
}

function groupByMeaning(uses: readonly VariableUse[]): Iterable<readonly VariableUse[]> {
  const groups = new Map<string | undefined, VariableUse[]>()
  for (const use of uses) {
    const { description } = use.flag
    groups.set(description, [...(groups.get(description) ?? []), use])
  }
  return groups.values()
}

/** Many commands with the same flag are not listed. */
function toVariable(name: string, uses: readonly VariableUse[]): Variable {
  const [flag] = uses.map(each => each.flag)
  const typed = `--${flag?.name}`
  return {
    name,
    flags: uses.length > 4 ? [typed] : uses.map(({ command }) => `${command} ${typed}`),
    meaning: flag?.description ?? '',
  }
}
