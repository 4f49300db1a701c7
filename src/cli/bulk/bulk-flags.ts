import { boolean, string } from '@oclif/core/flags'

const helpGroup = 'TABLE'
const tableFlag = { helpGroup, dependsOn: ['csv'] }

export const bulkFlags = {
  csv: string({
    description: 'File with columns destination, message, send_on; - is a pipe.',
    helpValue: 'FILE|-',
    helpGroup,
  }),
  text: string({
    description: 'Text of all rows: {name} is a column, {name|friend} has a default.',
    helpValue: 'TEMPLATE',
    ...tableFlag,
  }),
  'skip-invalid': boolean({
    description: 'Skip invalid rows and send the others.',
    ...tableFlag,
  }),
  'allow-duplicates': boolean({
    description: 'Also send rows that repeat an earlier row.',
    ...tableFlag,
  }),
  country: string({
    description: 'Country of numbers without a +, such as DE.',
    defaultHelp: async () => "the account's",
    helpValue: 'CC',
    ...tableFlag,
  }),
  encoding: string({
    description: 'Encoding, such as windows-1252.',
    defaultHelp: async () => 'UTF-8 or UTF-16',
    helpValue: 'NAME',
    ...tableFlag,
  }),
  rate: string({
    description: 'Maximum rate: 10/s, 100/min, 20/h, 500/d.',
    defaultHelp: async () => 'no limit',
    helpValue: 'N/s',
    ...tableFlag,
  }),
  concurrency: string({
    description: 'Requests at the same time, 1 to 64.',
    defaultHelp: async () => '8',
    helpValue: 'N',
    ...tableFlag,
  }),
  job: string({
    description: 'Job name, used to resume.',
    defaultHelp: async () => 'the path of the file',
    helpValue: 'NAME',
    ...tableFlag,
  }),
  'new-rows': boolean({
    description: 'Resume with a changed file: send rows not accepted yet.',
    exclusive: ['again'],
    ...tableFlag,
  }),
  again: boolean({
    description: 'Send all rows again, although they were sent before.',
    ...tableFlag,
  }),
  'resend-unknown': boolean({
    description: 'Also send rows with an unknown result.',
    ...tableFlag,
  }),
}

export interface BulkFlags {
  readonly csv: string
  readonly text?: string | undefined
  readonly 'dry-run': boolean
  readonly 'skip-invalid': boolean
  readonly 'allow-duplicates': boolean
  readonly country?: string | undefined
  readonly encoding?: string | undefined
  readonly rate?: string | undefined
  readonly concurrency?: string | undefined
  readonly job?: string | undefined
  readonly 'new-rows': boolean
  readonly again: boolean
  readonly 'resend-unknown': boolean
  readonly at?: string | undefined
}
