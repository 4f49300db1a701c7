import { expect } from 'vitest'
import { type OperationId, operations } from '../../../../src/contract/api/operations.js'
import type { AuditFields } from '../../../../src/contract/audit/audit-schema.js'
import { openClient, startRelay } from '../../dashboard/dashboard-relay.js'

/** A relay whose audit log is read after each act. */
export async function startAudited(...options: Parameters<typeof startRelay>) {
  const relay = await startRelay(...options)
  const client = openClient(relay.url, relay.ann)
  let known = new Set<string>()
  /** The entries since the last call, the oldest first. */
  const readNew = async (): Promise<AuditFields[]> => {
    const page = await client.audit.list({ count: 100 })
    const fresh = page.filter(({ id }) => !known.has(id)).toReversed()
    known = new Set(page.map(({ id }) => id))
    return fresh
  }
  /** All entries, as text. */
  const readAll = async (): Promise<string> => {
    const pages: AuditFields[][] = [await client.audit.list({ count: 100 })]
    for (let last = pages[0]?.at(-1); last !== undefined; last = pages.at(-1)?.at(-1))
      pages.push(await client.audit.list({ count: 100, before: last.id }))
    return JSON.stringify(pages)
  }
  /** Sends a request of the API with a token; `$name` in path and body stands for `ids.name`. */
  const ids: Record<string, string> = {}
  const call = async (token: string, id: OperationId, { path = '', body }: ApiRequest) => {
    const { method, path: pattern } = operations[id]
    const fill = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? '')
    const filled = pattern.replace(':sequence', ids.event ?? '').replace(/:\w+/, fill(path))
    const address = `${relay.url}${filled}`
    const reply = await fetch(address, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: fill(JSON.stringify(body)) }),
    })
    const text = await reply.text()
    expect(reply.status, `${id}: ${text}`).toBe(200)
    return JSON.parse(text) as Record<string, { readonly id?: string }>
  }
  return { ...relay, client, readNew, readAll, ids, call }
}

export interface ApiRequest {
  /** In place of the parameter of the path. */
  readonly path?: string
  readonly body?: object
}
