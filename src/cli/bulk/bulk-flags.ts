import { boolean, string } from '@oclif/core/flags'

const helpGroup = 'TABLE'
const tableFlag = { helpGroup, dependsOn: ['csv'] }

/** The flags of `message send` that are about a table of messages. */
export const bulkFlags = {
  csv: string({
    description:
      'Send a message for each row of this file; "-" reads a pipe. The first line names the columns.',
    helpValue: 'FILE|-',
    helpGroup,
  }),
  text: string({
    description:
      'The text of all rows: {name} is a column, {name|friend} says what stands for an empty one.',
    helpValue: 'TEMPLATE',
    ...tableFlag,
  }),
  'skip-invalid': boolean({
    description: 'Leave rows out that cannot be sent, and send the others.',
    ...tableFlag,
  }),
  'allow-duplicates': boolean({
    description: 'Send the same text to the same number as often as the file has it.',
    ...tableFlag,
  }),
  country: string({
    description:
      'Country in which numbers without + are read, such as DE. [default: that of the account]',
    helpValue: 'CC',
    ...tableFlag,
  }),
  encoding: string({
    description:
      'Encoding of the file, such as windows-1252. [default: UTF-8, or UTF-16 by its mark]',
    helpValue: 'NAME',
    ...tableFlag,
  }),
  rate: string({
    description: 'Messages handed over a second (or 100/min, 20/h, 500/d), at most.',
    helpValue: 'N/s',
    ...tableFlag,
  }),
  concurrency: string({
    description: 'Rows in hand at once. [default: 8]',
    helpValue: 'N',
    ...tableFlag,
  }),
  job: string({
    description:
      'Name under which is remembered what was accepted. [default: the path of the file]',
    helpValue: 'NAME',
    ...tableFlag,
  }),
  'new-rows': boolean({
    description:
      'The file has changed since the job was left: send what was not accepted as it is now.',
    exclusive: ['again'],
    ...tableFlag,
  }),
  again: boolean({
    description: 'Send all rows once more, although they were sent before.',
    ...tableFlag,
  }),
  'resend-unknown': boolean({
    description: 'Send rows, too, of which nobody knows any more whether they were accepted.',
    ...tableFlag,
  }),
}

/** The values of {@link bulkFlags}, and what a row may have from elsewhere. */
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
