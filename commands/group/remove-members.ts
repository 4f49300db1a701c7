import { mergeGroups } from '../../src/cli/contact/edit-contact.js'
import { MemberCommand } from '../../src/cli/contact/member-command.js'
import type { ContactFields } from '../../src/contract/contact/contact-schema.js'
import type { GroupFields } from '../../src/resources/group.js'

export default class GroupRemoveMembers extends MemberCommand {
  static override summary = 'Remove contacts from a group; they are still contacts.'
  static override examples = [
    {
      description: 'Remove a contact from a group.',
      command: '<%= config.bin %> group remove-members Customers +12025550123',
    },
  ]

  protected override decide({ groups }: ContactFields, { name }: GroupFields): string[] {
    return mergeGroups(groups, [], [name])
  }

  protected override describe(contact: string, group: string): string {
    return `Removed ${contact} from ${group}.`
  }
}
