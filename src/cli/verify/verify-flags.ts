import { string } from '@oclif/core/flags'
import { RelayError } from '../../errors.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { parseBaseAddress, parseDuration, parseInteger } from '../terminal/parse-values.js'
import type { VerifyKeys, VerifyTarget } from './relay/relay-under-test.js'
import type { Rule } from './relay/rule.js'
import { selectRules } from './rules/all-rules.js'

type Env = Readonly<Record<string, string | undefined>>

interface VerifyFlags {
  readonly only?: string[] | undefined
  readonly host?: string | undefined
  readonly port?: string | undefined
  readonly 'public-url'?: string | undefined
  readonly timeout?: string | undefined
}

/** Milliseconds in which a relay should send a webhook (docs/reference/interface.md 6). */
const webhookWait = 120_000
const defaultTimeout = 30_000
const failureTime = 40_000

export const verifyFlags = {
  only: string({
    description: 'Only the rules of this section, for example 4.2; repeatable.',
    env: 'SMSRELAY_ONLY',
    helpValue: 'SECTION',
    multiple: true,
  }),
  junit: string({
    description: 'Also write the results to this file, as JUnit XML.',
    env: 'SMSRELAY_JUNIT',
    helpValue: 'FILE',
  }),
  timeout: string({
    description: 'Longest time of a request: 500ms, 30s, 2m.',
    defaultHelp: async () => '30s',
    env: 'SMSRELAY_TIMEOUT',
    helpValue: 'TIME',
  }),
  host: string({
    description: 'Address on which webhooks are received.',
    defaultHelp: async () => '127.0.0.1',
    env: 'SMSRELAY_VERIFY_HOST',
    helpValue: 'HOST',
    helpGroup: 'WEBHOOKS',
  }),
  port: string({
    description: 'Port on which webhooks are received.',
    defaultHelp: async () => 'a free one',
    env: 'SMSRELAY_VERIFY_PORT',
    helpValue: 'N',
    helpGroup: 'WEBHOOKS',
  }),
  'public-url': string({
    description: 'Address at which the relay reaches this machine.',
    defaultHelp: async () => '--host and --port',
    env: 'SMSRELAY_PUBLIC_URL',
    helpValue: 'URL',
    helpGroup: 'WEBHOOKS',
  }),
}

/** Selects the rules that --only names. Throws `usage` for a section without rules. */
export function parseSections(sections: readonly string[] = []): readonly Rule[] {
  const unknown = sections.find(section => selectRules([section]).length === 0)
  if (unknown === undefined) return selectRules(sections)
  const known = [...new Set(selectRules([]).map(({ section }) => section))].join(', ')
  throw new RelayError('usage', `--only ${unknown}: there is no such section.`, {
    hint: `The sections are ${known}.`,
  })
}

export function createVerifyTarget(address: string, flags: VerifyFlags, env: Env): VerifyTarget {
  const url = parseBaseAddress('URL', address)
  const { timeout: typed } = flags
  const timeout = typed === undefined ? defaultTimeout : parseDuration('--timeout', typed)
  const otherKeys = readOtherKeys(env)
  const inbox = createInbox(url, flags)
  return {
    url,
    keys: readKeys(env),
    ...(otherKeys === undefined ? {} : { otherKeys }),
    timeout,
    failureTime: Math.max(failureTime, timeout),
    ...(inbox === undefined ? {} : { inbox }),
  }
}

function readKeys(env: Env): VerifyKeys {
  return {
    secretKey: requireVariable(env, 'SMSRELAY_SECRET_KEY', 'secret key'),
    apiKey: requireVariable(env, 'SMSRELAY_API_KEY', 'API key'),
    appKey: readVariable(env, 'SMSRELAY_APP_KEY'),
    email: readVariable(env, 'SMSRELAY_EMAIL'),
    password: readVariable(env, 'SMSRELAY_PASSWORD'),
  }
}

function readOtherKeys(env: Env): VerifyKeys | undefined {
  const secretKey = readVariable(env, 'SMSRELAY_OTHER_SECRET_KEY')
  const apiKey = readVariable(env, 'SMSRELAY_OTHER_API_KEY')
  if (secretKey === undefined || apiKey === undefined) return undefined
  return { secretKey, apiKey, appKey: readVariable(env, 'SMSRELAY_OTHER_APP_KEY') }
}

function requireVariable(env: Env, name: string, what: string): string {
  const value = readVariable(env, name)
  if (value !== undefined) return value
  throw new RelayError('usage', `The ${what} is missing.`, { hint: `Set ${name}.` })
}

function readVariable(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === '' ? undefined : value
}

/** Only a relay on this machine reaches it without --public-url. */
function createInbox(url: string, flags: VerifyFlags): VerifyTarget['inbox'] {
  const { host = '127.0.0.1', port, 'public-url': address } = flags
  const publicUrl = address === undefined ? undefined : parseBaseAddress('--public-url', address)
  const isLocal = isLoopbackHost(new URL(url).hostname)
  if (publicUrl === undefined && flags.host === undefined && !isLocal) return undefined
  const portNumber = port === undefined ? 0 : parseInteger('--port', port, 0, 65_535)
  return { host, port: portNumber, publicUrl, wait: webhookWait }
}
