import { boolean, string } from '@oclif/core/flags'

const helpGroup = 'TABLE'
const tableFlag = {
  helpGroup,
  relationships: [{ type: 'some' as const, flags: ['csv', 'group'] }],
}

export const bulkFlags = {
  csv: string({
    description: 'File with columns destination, message, send_on; - is a pipe.',
    env: 'SMSRELAY_CSV',
    helpValue: 'FILE|-',
    helpGroup,
  }),
  group: string({
    description: 'Send to the contacts of this group instead of a file.',
    env: 'SMSRELAY_MESSAGE_GROUP',
    helpValue: 'NAME',
    exclusive: ['csv'],
    helpGroup,
  }),
  template: string({
    description: 'Template of the account as the text of all rows.',
    env: 'SMSRELAY_MESSAGE_TEMPLATE',
    helpValue: 'NAME',
    exclusive: ['text'],
    ...tableFlag,
  }),
  text: string({
    description: 'Text of all rows: {name} is a column, {name|friend} has a default.',
    env: 'SMSRELAY_MESSAGE_TEXT',
    helpValue: 'TEMPLATE',
    ...tableFlag,
  }),
  'skip-invalid': boolean({
    description: 'Skip invalid rows; sent once they are fixed.',
    env: 'SMSRELAY_SKIP_INVALID',
    ...tableFlag,
  }),
  'allow-duplicates': boolean({
    description: 'Also send rows that repeat an earlier row.',
    env: 'SMSRELAY_ALLOW_DUPLICATES',
    ...tableFlag,
  }),
  country: string({
    description: 'Country of numbers without a +, such as DE.',
    env: 'SMSRELAY_MESSAGE_COUNTRY',
    defaultHelp: async () => "the account's",
    helpValue: 'CC',
    ...tableFlag,
  }),
  encoding: string({
    description: 'Encoding, such as windows-1252.',
    env: 'SMSRELAY_ENCODING',
    defaultHelp: async () => 'UTF-8 or UTF-16',
    helpValue: 'NAME',
    ...tableFlag,
  }),
  rate: string({
    description: 'Maximum rate: 10/s, 100/min, 20/h, 500/d.',
    env: 'SMSRELAY_MESSAGE_RATE',
    defaultHelp: async () => 'no limit',
    helpValue: 'N/s',
    ...tableFlag,
  }),
  concurrency: string({
    description: 'Requests at the same time, 1 to 64.',
    env: 'SMSRELAY_MESSAGE_CONCURRENCY',
    defaultHelp: async () => '8',
    helpValue: 'N',
    ...tableFlag,
  }),
}

export interface BulkFlags {
  /** File of the table; undefined if the rows are those of a group. */
  readonly csv?: string | undefined
  readonly group?: string | undefined
  readonly template?: string | undefined
  readonly text?: string | undefined
  readonly 'dry-run': boolean
  readonly 'skip-invalid': boolean
  readonly 'allow-duplicates': boolean
  readonly country?: string | undefined
  readonly encoding?: string | undefined
  readonly rate?: string | undefined
  readonly concurrency?: string | undefined
  readonly 'idempotency-key'?: string | undefined
  readonly at?: string | undefined
  readonly flash: boolean
  readonly 'fewer-parts': boolean
}
