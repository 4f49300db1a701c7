// The handlers of contacts, groups and templates. `api-routes` mounts them.
//
// - contact-routes: contacts, one by one, in pages and many at once
// - group-routes: groups, with the number of members
// - template-routes: templates
import { formatListPage } from '../../../contract/api/list-page.js'
import {
  type ContactReply,
  contactCreate,
  contactEdit,
  contactImport,
  contactQuery,
  parseImportedContacts,
  toContactFields,
} from '../../../contract/contact/contact-schema.js'
import { parseInput } from '../../../contract/schema/parse.js'
import type { Account } from '../../../domain/account/account.js'
import { buildContactKey, type Contact, normalizeSearch } from '../../../domain/contact/contact.js'
import { readFields } from '../../http/request-body.js'
import { createEntityTag, getPrecondition } from '../../http/request-headers.js'
import { parseQuery } from '../../http/request-query.js'
import { getParam, type RouteHandlers } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'

type Context = Pick<ServerContext, 'contacts' | 'groups'>

export function createContactHandlers(
  context: Context,
): RouteHandlers<
  'listContacts' | 'addContact' | 'importContacts' | 'getContact' | 'editContact' | 'deleteContact'
> {
  const { contacts } = context
  return {
    listContacts: createListHandler(context),
    addContact: async ({ caller, request }) => {
      const draft = parseInput(contactCreate, await readFields(request))
      const contact = await contacts.add(caller.account, draft)
      return JSON.stringify(await toReply(context, caller.account, contact))
    },
    importContacts: async ({ caller, request }) => {
      const input = parseInput(contactImport, await readFields(request))
      const drafts = parseImportedContacts(input.contacts)
      const options = { dryRun: input.dry_run, skipInvalid: input.skip_invalid }
      return JSON.stringify(await contacts.importAll(caller.account, drafts, options))
    },
    getContact: async ({ caller, request, response }) => {
      const contact = await contacts.get(caller.account, getParam(request, 'number'))
      response.setHeader('ETag', getContactTag(contact))
      return JSON.stringify(await toReply(context, caller.account, contact))
    },
    editContact: async ({ caller, request, response }) => {
      const number = getParam(request, 'number')
      const check = getPrecondition(request, getContactTag)
      const changes = parseInput(contactEdit, await readFields(request))
      const contact = await contacts.edit(caller.account, number, changes, check)
      response.setHeader('ETag', getContactTag(contact))
      return JSON.stringify(await toReply(context, caller.account, contact))
    },
    deleteContact: async ({ caller, request }) => {
      const number = getParam(request, 'number')
      await contacts.remove(caller.account, number, getPrecondition(request, getContactTag))
      return JSON.stringify({ contact: { number } })
    },
  }
}

function createListHandler({
  contacts,
  groups,
}: Context): RouteHandlers<'listContacts'>['listContacts'] {
  return async context => {
    const { account } = context.caller
    const { count, after, group, search } = parseQuery(contactQuery, context.request)
    const list = await groups.list(account)
    const names = new Map(list.map(({ id, name }) => [id, name]))
    const items = await contacts.getPage(account, {
      count: count + 1,
      after: after && Buffer.from(after, 'base64url').toString(),
      group: group && (await groups.findByName(account, group)).id,
      words: search && normalizeSearch(search),
    })
    const getNextQuery = (contact: Contact) => ({
      after: Buffer.from(buildContactKey(contact)).toString('base64url'),
    })
    const toItem = (contact: Contact) => ({ contact: toContactFields(contact, names) })
    return formatListPage(context, {
      ...{ name: 'contacts', items, count, getNextQuery },
      toReply: toItem,
    })
  }
}

async function toReply(
  { groups }: Context,
  account: Account,
  contact: Contact,
): Promise<ContactReply> {
  const list = await groups.list(account)
  const names = new Map(list.map(({ id, name }) => [id, name]))
  return { contact: toContactFields(contact, names) }
}

function getContactTag({ number, name, fields = {}, groups = [] }: Contact): string {
  return createEntityTag(JSON.stringify([number, name, fields, groups]))
}
