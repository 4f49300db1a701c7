import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { formatCreatedMailbox, toMailboxDraft } from '../../src/cli/message/mailbox-views.js'

export default class MailboxCreate extends ApiCommand {
  static override summary = 'Make an e-mail address whose mail becomes texts.'
  static override description =
    `Without --alias the address has a secret key, shown this once: mail to <number>.<key>@... is texted to that
number, and with --to mail to <key>@... to those numbers. With --alias anyone may know the address, so --to and --from
are needed. Senders are what a mail says of itself: let the mail server in front check SPF and DKIM.`
  static override examples = [
    '<%= config.bin %> mailbox create',
    '<%= config.bin %> mailbox create --alias alerts --to +12025550123 --from @example.com --subject first',
    '<%= config.bin %> mailbox create --from ann@example.com --limit 30 --max-length 160',
  ]
  static override flags = {
    name: string({ description: 'Your word for it, to tell addresses apart.', helpValue: 'TEXT' }),
    alias: string({
      description: 'What stands before the @, in place of a key; needs --to and --from.',
      helpValue: 'NAME',
      dependsOn: ['to', 'from'],
    }),
    to: string({
      description: 'Number its texts go to; may be given again.',
      helpValue: 'NUMBER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    from: string({
      description:
        'Sender it is open to: an address, @ and a domain, or * for everyone; may be given again. [default with a key: everyone]',
      helpValue: 'SENDER',
      multiple: true,
      multipleNonGreedy: true,
    }),
    subject: string({
      description:
        'Whether the subject is part of the text: never, or as its first line. [default: never]',
      helpValue: 'never|first',
      options: ['never', 'first'],
    }),
    limit: string({
      description:
        'Most texts in an hour; further mail is to be tried again later. [default: any number]',
      helpValue: 'COUNT',
    }),
    'max-length': string({
      description: 'Most characters of a text; the rest is cut. [default: 1600]',
      helpValue: 'COUNT',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(MailboxCreate)
    const draft = toMailboxDraft(flags)
    const client = await this.createClient(flags)
    const made = await client.mailboxes.create(draft, this.callOptions)
    this.print(made, formatCreatedMailbox)
    if (!made.receiving) this.printNote('The relay takes no mail yet: start it with --smtp-port.')
  }
}
