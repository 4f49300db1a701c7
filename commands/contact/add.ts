import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatContact } from '../../src/cli/contact/contact-views.js'
import { contactFlags, parseFields } from '../../src/cli/contact/edit-contact.js'

export default class ContactAdd extends ApiCommand {
  static override summary = 'Add a contact.'
  static override examples = [
    {
      description: 'Add a contact with a name, a group and a field.',
      command:
        '<%= config.bin %> contact add +12025550123 --name Ann --group Customers ' +
        '--field city=Rome',
    },
  ]
  static override args = { number: defineRequiredArgument('Phone number.') }
  static override flags = {
    ...contactFlags,
    group: string({
      description: 'Group of the contact, created if it is missing; can be repeated.',
      env: 'SMSRELAY_CONTACT_ADD_GROUP',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContactAdd)
    const { name, group: groups } = flags
    const fields = parseFields(flags.field)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const client = await this.createClient(flags)
    const contact = { number, name, fields, groups }
    const added = await client.contacts.create(contact, this.callOptions)
    this.print(added, each => `Added ${formatContact(each)}.`)
  }
}
