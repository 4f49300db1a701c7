import { string } from '@oclif/core/flags'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { defineRequiredArgument } from '../../src/cli/command/arguments.js'
import { formatContact } from '../../src/cli/contact/contact-views.js'
import {
  contactFlags,
  editContact,
  mergeFields,
  mergeGroups,
  parseFields,
} from '../../src/cli/contact/edit-contact.js'
import { RelayError } from '../../src/errors.js'

const repeated = { helpValue: 'NAME', multiple: true, multipleNonGreedy: true } as const

export default class ContactEdit extends ApiCommand {
  static override summary = 'Change the name, fields and groups of a contact.'
  static override description = 'What no flag names stays as it is. An empty value removes a field.'
  static override examples = [
    {
      description: 'Change the name and one field.',
      command: '<%= config.bin %> contact edit +12025550123 --name Ann --field city=Rome',
    },
    {
      description: 'Move a contact from one group to another.',
      command:
        '<%= config.bin %> contact edit +12025550123 --add-group VIP --remove-group Customers',
    },
  ]
  static override args = { number: defineRequiredArgument('Phone number.') }
  static override flags = {
    ...contactFlags,
    'add-group': string({
      description: 'Group to add the contact to, created if it is missing; can be repeated.',
      env: 'SMSRELAY_ADD_GROUP',
      ...repeated,
    }),
    'remove-group': string({
      description: 'Group to remove the contact from; can be repeated.',
      env: 'SMSRELAY_REMOVE_GROUP',
      ...repeated,
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ContactEdit)
    const { name, field, 'add-group': added, 'remove-group': removed } = flags
    const hasGroups = (added ?? removed) !== undefined
    if (name === undefined && field === undefined && !hasGroups) {
      throw new RelayError('usage', 'No change is given.', {
        hint: 'Add --name, --field, --add-group or --remove-group.',
      })
    }
    const changes = parseFields(field)
    const number = await this.requireValue(args.number, { name: 'NUMBER', message: 'Phone number' })
    const client = await this.createClient(flags)
    const contact = await editContact(
      client,
      number,
      ({ fields, groups }) => ({
        ...(name === undefined ? {} : { name }),
        ...(field === undefined ? {} : { fields: mergeFields(fields, changes) }),
        ...(hasGroups ? { groups: mergeGroups(groups, added, removed) } : {}),
      }),
      this.callOptions,
    )
    this.print(contact, each => `Changed ${formatContact(each)}.`)
  }
}
