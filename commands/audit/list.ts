import { string } from '@oclif/core/flags'
import { auditColumns } from '../../src/cli/audit/audit-views.js'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { parseListTime } from '../../src/cli/message/list-flags.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'
import { parseInteger } from '../../src/cli/terminal/parse-values.js'

export default class AuditList extends ApiCommand {
  static override summary = 'List the audit log: sign-ins and changes, newest first.'
  static override description =
    'An account sees its own entries; that of the owner sees those of all accounts.'
  static override examples = [
    {
      description: 'List what happened in the last day.',
      command: '<%= config.bin %> audit list --since 1d',
    },
    {
      description: 'List who changed subscriptions.',
      command: '<%= config.bin %> audit list --action subscription',
    },
    {
      description: 'Save the sign-ins of a month for a spreadsheet.',
      command: '<%= config.bin %> audit list --action person.sign_in --since 4w -o csv',
    },
  ]
  static override flags = {
    ...outputFlags,
    since: string({
      description: 'Entries since then: 1d, 12h, or a UTC time.',
      env: 'SMSRELAY_SINCE',
      helpValue: 'TIME',
    }),
    until: string({
      description: 'Entries before: 1d, 12h, or a UTC time.',
      env: 'SMSRELAY_UNTIL',
      helpValue: 'TIME',
    }),
    action: string({
      description: 'Entries of this action, or of all actions of a resource.',
      env: 'SMSRELAY_AUDIT_ACTION',
      helpValue: 'ACTION',
    }),
    actor: string({
      description: 'Entries of actors with these words, or this id.',
      env: 'SMSRELAY_AUDIT_ACTOR',
      helpValue: 'TEXT',
    }),
    target: string({
      description: 'Entries on targets with these words, or this id.',
      env: 'SMSRELAY_AUDIT_TARGET',
      helpValue: 'TEXT',
    }),
    address: string({
      description: 'Entries of requests from this IP address.',
      env: 'SMSRELAY_AUDIT_ADDRESS',
      helpValue: 'ADDRESS',
    }),
    account: string({
      description: 'For the owner: entries of the account with this e-mail address.',
      env: 'SMSRELAY_AUDIT_ACCOUNT',
      helpValue: 'EMAIL',
    }),
    count: string({
      description: 'Number of entries to list, 1 to 100.',
      env: 'SMSRELAY_AUDIT_COUNT',
      defaultHelp: async () => '50',
      helpValue: 'N',
    }),
    before: string({
      description: 'List only entries older than this one.',
      env: 'SMSRELAY_AUDIT_BEFORE',
      helpValue: 'ID',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(AuditList)
    const { since, until, action, actor, target, address, account, before } = flags
    const now = this.io.clock.now()
    const count = flags.count === undefined ? 50 : parseInteger('--count', flags.count, 1, 100)
    const selection = {
      ...{ action, actor, target, address, account, before },
      since: since === undefined ? undefined : parseListTime('--since', since, now),
      until: until === undefined ? undefined : parseListTime('--until', until, now),
    }
    const printer = await this.openPrinter(flags, auditColumns)
    const { audit } = await this.createClient(flags)
    const entries = await audit.list({ ...selection, count }, this.callOptions)
    await printer.printList(entries, 'There are no such entries.')
    const last = entries.at(-1)?.id
    if (!printer.hasNotes || last === undefined || entries.length < count) return
    const more = await audit.list({ ...selection, count: 1, before: last }, this.callOptions)
    if (more.length > 0) printer.printNote(`More: --before ${last}`)
  }
}
