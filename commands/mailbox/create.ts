import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatCreatedMailbox, toMailboxDraft } from '../../src/cli/message/mailbox-views.js'

export default class MailboxCreate extends ApiCommand {
  static override summary = 'Create an e-mail address whose mail becomes messages.'
  static override description =
    'The address has a secret key: mail to <number>.<key>@… becomes a message to that number. ' +
    'With --to, mail to <key>@… becomes a message to each of these numbers. ' +
    'Senders can be forged: let the mail server in front check SPF and DKIM.'
  static override examples = [
    {
      description: 'Create an address with a key.',
      command: '<%= config.bin %> mailbox create --from ann@example.com --limit 30',
    },
    {
      description: 'Create a public address with fixed recipients and senders.',
      command:
        '<%= config.bin %> mailbox create --alias alerts --to +12025550123 --from @example.com',
    },
  ]
  static override flags = {
    name: string({
      description: 'Name of the mailbox, for lists.',
      env: 'SMSRELAY_MAILBOX_NAME',
      helpValue: 'TEXT',
    }),
    alias: string({
      description: 'Part before the @, in place of a key; needs --to, --from.',
      env: 'SMSRELAY_ALIAS',
      helpValue: 'NAME',
      dependsOn: ['to', 'from'],
    }),
    to: string({
      description: 'Recipient; can be repeated.',
      env: 'SMSRELAY_MAILBOX_TO',
      helpValue: 'NUMBER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    from: string({
      description: 'Accepted sender: address, @domain or *; can be repeated.',
      env: 'SMSRELAY_MAILBOX_FROM',
      defaultHelp: async () => 'with a key, *',
      helpValue: 'SENDER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    subject: string({
      description: 'Omit the subject, or use it as the first line.',
      env: 'SMSRELAY_SUBJECT',
      defaultHelp: async () => 'never',
      helpValue: 'never|first',
      options: ['never', 'first'],
    }),
    limit: string({
      description: 'Maximum messages an hour; other mail is deferred.',
      env: 'SMSRELAY_LIMIT',
      defaultHelp: async () => 'no limit',
      helpValue: 'COUNT',
    }),
    'max-length': string({
      description: 'Maximum characters; longer mail is truncated.',
      env: 'SMSRELAY_MAX_LENGTH',
      defaultHelp: async () => '1600',
      helpValue: 'COUNT',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MailboxCreate)
    const draft = toMailboxDraft(flags)
    const client = await this.createClient(flags)
    const mailbox = await client.mailboxes.create(draft, this.callOptions)
    this.print(mailbox, formatCreatedMailbox)
    if (!mailbox.receiving) {
      this.printNote('The relay does not receive mail: start it with --smtp-port.')
    }
  }
}
