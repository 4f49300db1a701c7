import {
  doNotTextCreate,
  doNotTextImport,
  parseImportedEntries,
  toDoNotTextFields,
} from '../../contract/do-not-text-schema.js'
import { parseInput } from '../../contract/schema/parse.js'
import type { DoNotTextEntry } from '../../domain/account/account.js'
import { requireFullScope } from '../http/authenticate.js'
import { getParam } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { Caller } from '../services/accounts/token-service.js'
import {
  type DoNotTextScope,
  type DoNotTextService,
  getDoNotTextOrigin,
} from '../services/messages/do-not-text-service.js'

/** The account's Do Not Text list (extension). */
export function createDoNotTextRoutes(blocklist: DoNotTextService): Routes {
  return {
    '/do-not-text': {
      GET: async ({ caller }) => {
        requireFullScope(caller)
        const own = await blocklist.list(getScope(caller))
        return JSON.stringify({ entries: own.map(entry => ({ entry: toDoNotTextFields(entry) })) })
      },
      POST: async ({ caller, request }) => {
        requireFullScope(caller)
        const { number, note } = parseInput(doNotTextCreate, await readFields(request))
        const origin = { ...getDoNotTextOrigin(caller.account, caller.kind), note }
        return formatEntryJson(await blocklist.add(getScope(caller), number, origin))
      },
    },
    '/do-not-text/import': {
      POST: async ({ caller, request }) => {
        requireFullScope(caller)
        const wanted = parseInput(doNotTextImport, await readFields(request))
        const { entries, dry_run: dryRun, skip_invalid: skipInvalid } = wanted
        const { by } = getDoNotTextOrigin(caller.account, caller.kind)
        const origin = { reason: 'import', by } as const
        const how = { dryRun, skipInvalid }
        const drafts = parseImportedEntries(entries)
        return JSON.stringify(await blocklist.addAll(getScope(caller), drafts, origin, how))
      },
    },
    '/do-not-text/:number': {
      DELETE: async ({ caller, request }) => {
        requireFullScope(caller)
        return formatEntryJson(
          await blocklist.remove(getScope(caller), getParam(request, 'number')),
        )
      },
    },
  }
}

function formatEntryJson(entry: DoNotTextEntry): string {
  return JSON.stringify({ entry: toDoNotTextFields(entry) })
}

function getScope({ account }: Caller): DoNotTextScope {
  return { scope: account.id, country: account.country }
}
