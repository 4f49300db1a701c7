import {
  type DriverOption,
  type OptionValues,
  parseChoice,
  parsed,
  seconds,
  text,
} from '../../../driver-port/driver-options.js'

export const valueNames = [
  ...(['account', 'from', 'service', 'device', 'sim', 'region'] as const),
  ...(['workspace', 'channel', 'configuration', 'topic'] as const),
] as const

/**
 * Body types of the http driver; with `query` the template becomes the query of a request without
 * body.
 */
const bodyTypes = ['json', 'form', 'query', 'text'] as const

/** Options of the driver `http`; `header.*` is any header. Most replace a part of a preset. */
export const httpOptions = {
  ...listTexts('preset'),
  url: text({ mask: 'address' }),
  body: text({ mask: 'all' }),
  ...listTexts('user'),
  'header.*': text({ mask: 'all' }),
  ...listTexts('method'),
  password: text({ mask: 'all' }),
  type: parsed((typed, name) => parseChoice(typed, name, bodyTypes)),
  ...listTexts('success', 'parts', 'id', 'pattern'),
  timeout: seconds(30, 1, 600),
  ...listTexts('sent', 'retry', 'fail', 'trouble', 'unknown'),
  /** The meaning of a 5xx or of no reply. */
  unsure: parsed((typed, name) => parseChoice(typed, name, ['unknown', 'retry'])),
  ...listTexts('code', 'code-sent', 'code-retry', 'code-fail', 'code-trouble', 'code-unknown'),
  ...listTexts('oauth-url', 'oauth-id', 'oauth-scope', 'aws-service'),
  reports: parsed((typed, name) => parseChoice(typed, name, ['no', 'webhook', 'poll'])),
  ...listTexts('public-url', 'webhook', 'signature', 'status-url', 'status'),
  ...listTexts('pending', 'delivered', 'undelivered', 'expired'),
  ...listTexts(...valueNames),
}

export type HttpOptions = OptionValues<typeof httpOptions>

function listTexts<N extends string>(
  ...names: readonly N[]
): Record<N, DriverOption<string | undefined>> {
  return Object.fromEntries(names.map(name => [name, text()])) as never
}
