import { string } from '@oclif/core/args'
import type { ContactFields } from '../../contract/contact/contact-schema.js'
import type { GroupFields } from '../../resources/group.js'
import { ApiCommand } from '../command/api-command.js'
import { defineRequiredArgument } from '../command/arguments.js'
import { formatContact } from './contact-views.js'
import { editContact, findGroup } from './edit-contact.js'

export abstract class MemberCommand extends ApiCommand {
  static override args = {
    group: defineRequiredArgument('Name or identifier of the group.'),
    number: string({
      description: 'Phone numbers of contacts.',
      multiple: true,
      required: true,
      ignoreStdin: true,
    }),
  }

  protected abstract decide(contact: ContactFields, group: GroupFields): string[]
  protected abstract describe(contact: string, group: string): string

  async run(): Promise<void> {
    const { args, flags } = await this.parse(this.ctor as typeof MemberCommand)
    const name = args.group ?? ''
    const question = { name: 'NUMBER', message: 'Phone number' }
    const [first, ...others] = args.number ?? []
    const numbers = [await this.requireValue(first, question), ...others]
    const client = await this.createClient(flags)
    const group = await findGroup(client, name, this.callOptions)
    const decide = (contact: ContactFields) => ({ groups: this.decide(contact, group) })
    for (const number of numbers) {
      const changed = await editContact(client, number, decide, this.callOptions)
      this.printLine(changed, each => this.describe(formatContact(each), group.name))
    }
  }
}
