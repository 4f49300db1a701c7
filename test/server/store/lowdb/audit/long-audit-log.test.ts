import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../../../src/domain/audit/audit-entry.js'
import { start } from '../../rig.js'
import { createStore } from '../lowdb-rig.js'

function createEntry(n: number): AuditEntry {
  const id = `e${String(n).padStart(5, '0')}`
  const actor = { kind: 'person', name: n === 0 ? 'ann' : 'bob' } as const
  return { id, account: 'a', at: start + n, action: 'message.change', actor }
}

test('other work runs while a long audit log is searched', async () => {
  const { auditLog: audit } = await createStore()
  const entries = Array.from({ length: 7000 }, (_, n) => createEntry(n))
  await Promise.all(entries.map(async entry => await audit.append(entry)))
  let isDone = false
  const search = audit.getPage({ account: 'a', count: 10, actor: 'ann' }).finally(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone; turns += 1) await setImmediate()
  expect(await search).toEqual([createEntry(0)])
  expect(turns).toBeGreaterThan(2)
  const page = await audit.getPage({ account: 'a', count: 3, before: 'e06000' })
  expect(page.map(({ id }) => id)).toEqual(['e05999', 'e05998', 'e05997'])
})
