import { blockFields } from '../../contract/blocklist-fields.js'
import { blocklistEntry, blocklistImport } from '../../contract/do-not-text-schema.js'
import { importDrafts } from '../../contract/imported-entries.js'
import { parse } from '../../contract/schema/parse.js'
import type { BlockEntry } from '../../domain/account/account.js'
import { needFullScope } from '../http/authenticate.js'
import { param } from '../http/exchange.js'
import { readFields } from '../http/request-body.js'
import type { Routes } from '../http/route.js'
import type { Caller } from '../services/accounts/token-service.js'
import {
  type BlocklistScope,
  type BlocklistService,
  originOf,
} from '../services/messages/do-not-text-service.js'

/** The account's Do Not Text list (extension). */
export function blocklistRoutes(blocklist: BlocklistService): Routes {
  return {
    '/blocklist': {
      GET: async ({ caller }) => {
        needFullScope(caller)
        const own = await blocklist.list(scopeOf(caller))
        return JSON.stringify({ entries: own.map(entry => ({ entry: blockFields(entry) })) })
      },
      POST: async ({ caller, request }) => {
        needFullScope(caller)
        const { number, note } = parse(blocklistEntry, await readFields(request))
        const origin = { ...originOf(caller.account, caller.kind), note }
        return entryJson(await blocklist.add(scopeOf(caller), number, origin))
      },
    },
    '/blocklist/import': {
      POST: async ({ caller, request }) => {
        needFullScope(caller)
        const wanted = parse(blocklistImport, await readFields(request))
        const { entries, dry_run: dryRun, skip_invalid: skipInvalid } = wanted
        const { by } = originOf(caller.account, caller.kind)
        const origin = { reason: 'import', by } as const
        const how = { dryRun, skipInvalid }
        const drafts = importDrafts(entries)
        return JSON.stringify(await blocklist.addAll(scopeOf(caller), drafts, origin, how))
      },
    },
    '/blocklist/:number': {
      DELETE: async ({ caller, request }) => {
        needFullScope(caller)
        return entryJson(await blocklist.remove(scopeOf(caller), param(request, 'number')))
      },
    },
  }
}

function entryJson(entry: BlockEntry): string {
  return JSON.stringify({ entry: blockFields(entry) })
}

function scopeOf({ account }: Caller): BlocklistScope {
  return { scope: account.id, country: account.country }
}
