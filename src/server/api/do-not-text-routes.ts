import { buildAfterQuery, formatListPage } from '../../contract/api/list-page.js'
import {
  type DoNotTextReply,
  doNotTextCreate,
  doNotTextImport,
  doNotTextQuery,
  parseImportedEntries,
  toDoNotTextFields,
} from '../../contract/do-not-text-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { DoNotTextEntry } from '../../domain/account/account.js'
import { readFields } from '../http/request-body.js'
import { parseQuery } from '../http/request-query.js'
import { getParam, type RouteHandlers } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import type { Caller } from '../services/accounts/token-service.js'
import {
  type DoNotTextScope,
  getDoNotTextOrigin,
} from '../services/messages/do-not-text-service.js'

export function createDoNotTextHandlers({
  doNotText,
}: ServerContext): RouteHandlers<
  'listDoNotText' | 'getDoNotText' | 'addDoNotText' | 'importDoNotText' | 'removeDoNotText'
> {
  return {
    listDoNotText: async context => {
      const { count, after } = parseQuery(doNotTextQuery, context.request)
      const query = { count: count + 1, after }
      const items = await doNotText.getPage(getScope(context.caller), query)
      const getNextQuery = ({ at, number }: DoNotTextEntry) => buildAfterQuery(at, number)
      const page = { name: 'entries', items, count, toReply, getNextQuery }
      return formatListPage(context, page)
    },
    getDoNotText: async ({ caller, request }) => {
      const number = getParam(request, 'number')
      return JSON.stringify(toReply(await doNotText.get(getScope(caller), number)))
    },
    addDoNotText: async ({ caller, request }) => {
      const { number, note } = parseInput(doNotTextCreate, await readFields(request))
      const origin = { ...getDoNotTextOrigin(caller), note }
      return JSON.stringify(toReply(await doNotText.add(getScope(caller), number, origin)))
    },
    importDoNotText: async ({ caller, request }) => {
      const input = parseInput(doNotTextImport, await readFields(request))
      const { by } = getDoNotTextOrigin(caller)
      const imported = await doNotText.addAll(
        getScope(caller),
        parseImportedEntries(input.entries),
        { reason: 'import', by },
        { dryRun: input.dry_run, skipInvalid: input.skip_invalid },
      )
      return JSON.stringify(imported)
    },
    removeDoNotText: async ({ caller, request }) => {
      const number = getParam(request, 'number')
      return JSON.stringify(toReply(await doNotText.remove(getScope(caller), number)))
    },
  }
}

function toReply(entry: DoNotTextEntry): DoNotTextReply {
  return { entry: toDoNotTextFields(entry) }
}

function getScope({ account }: Caller): DoNotTextScope {
  return { scope: account.id, country: account.country }
}
