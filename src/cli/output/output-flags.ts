import { boolean, string } from '@oclif/core/flags'

/** Formats of -o; the first is the default. */
export const outputFormats = ['table', 'csv', 'json'] as const
export type OutputFormat = (typeof outputFormats)[number]

export const outputFlags = {
  output: string({
    char: 'o',
    description: 'Format of the output; CSV has all columns.',
    env: 'SMSRELAY_OUTPUT',
    defaultHelp: async () => 'table',
    options: outputFormats,
    exclusive: ['json'],
    helpGroup: 'OUTPUT',
  }),
  columns: string({
    description: 'Columns of a table or CSV, for example id,status.',
    env: 'SMSRELAY_COLUMNS',
    helpValue: 'NAMES',
    helpGroup: 'OUTPUT',
  }),
  jq: string({
    description: 'Run a jq program on the JSON; texts are printed without quotes, unless --json.',
    env: 'SMSRELAY_JQ',
    helpValue: 'PROGRAM',
    exclusive: ['columns', 'ids'],
    helpGroup: 'OUTPUT',
  }),
  ids: boolean({
    char: 'q',
    description: 'Print only the ids, one a line.',
    env: 'SMSRELAY_IDS',
    exclusive: ['output', 'json', 'columns', 'jq'],
    helpGroup: 'OUTPUT',
  }),
}

export interface OutputFlags {
  readonly json?: boolean | undefined
  readonly output?: string | undefined
  readonly columns?: string | undefined
  readonly jq?: string | undefined
  readonly ids?: boolean | undefined
}
