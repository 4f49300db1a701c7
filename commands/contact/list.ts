import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { contactColumns } from '../../src/cli/contact/contact-views.js'
import { outputFlags } from '../../src/cli/output/output-flags.js'

export default class ContactList extends ApiCommand {
  static override summary = 'List the contacts of the account.'
  static override examples = [
    {
      description: 'List the members of a group.',
      command: '<%= config.bin %> contact list --group Customers',
    },
    { description: 'Find a contact.', command: '<%= config.bin %> contact list --search ann' },
  ]
  static override flags = {
    ...outputFlags,
    group: string({
      description: 'Only members of this group.',
      env: 'SMSRELAY_CONTACT_GROUP',
      helpValue: 'NAME',
    }),
    search: string({
      description: 'Only contacts with this part in name or number.',
      env: 'SMSRELAY_CONTACT_SEARCH',
      helpValue: 'TEXT',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ContactList)
    const printer = await this.openPrinter(flags, contactColumns)
    const client = await this.createClient(flags)
    const { group, search } = flags
    const contacts = await client.contacts.list({ ...this.callOptions, group, search })
    await printer.printList(contacts, 'No contact matches.')
  }
}
