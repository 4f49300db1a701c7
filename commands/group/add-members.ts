import { mergeGroups } from '../../src/cli/contact/edit-contact.js'
import { MemberCommand } from '../../src/cli/contact/member-command.js'
import type { ContactFields } from '../../src/contract/contact/contact-schema.js'
import type { GroupFields } from '../../src/resources/group.js'

export default class GroupAddMembers extends MemberCommand {
  static override summary = 'Add contacts to a group.'
  static override description =
    'A number without a contact ends the command; those before it are members then.'
  static override examples = [
    {
      description: 'Add two contacts.',
      command: '<%= config.bin %> group add-members Customers +12025550123 +12025550124',
    },
    {
      description: 'Add the members of another group.',
      command:
        '<%= config.bin %> contact list --group VIP -q | ' +
        'xargs <%= config.bin %> group add-members Customers',
    },
  ]

  protected override decide({ groups }: ContactFields, { name }: GroupFields): string[] {
    return mergeGroups(groups, [name])
  }

  protected override describe(contact: string, group: string): string {
    return `Added ${contact} to ${group}.`
  }
}
