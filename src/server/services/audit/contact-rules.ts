import type { Account } from '../../../domain/account/account.js'
import type { ContactService } from '../contacts/contact-service.js'
import { type AuditRules, listChanged, recordRule, type SeparateRule } from './audit-rules.js'

/** A group that contacts name is created in a commit before theirs. */
const separate: SeparateRule = ({ changes }) =>
  changes.find('group')?.after && recordRule('group.create', 'group')({ changes })

export const contactRules: AuditRules<ContactService> = {
  add: { commit: recordRule('contact.create', 'contact'), separate },
  edit: {
    commit: recordRule(
      'contact.change',
      'contact',
      (_, __: Account, ___: string, changes: object) => listChanged(changes),
    ),
    separate,
  },
  remove: recordRule('contact.delete', 'contact'),
  importAll: {
    commit: ({ changes }, { id: account }) => {
      const contacts = changes.list('contact').filter(({ after }) => after !== undefined)
      if (contacts.length === 0) return undefined
      const added = contacts.filter(({ before }) => before === undefined).length
      const detail = `${added} added, ${contacts.length - added} changed`
      return { account, action: 'contact.import', detail }
    },
    separate,
  },
}
