import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RelayOverrides } from '../../../src/index.js'
import { compactJournals } from '../../../src/server/store/lowdb/journal/compact-journals.js'
import { openLowdbStore } from '../../../src/server/store/lowdb/lowdb-store.js'
import { postBatch, readResults } from '../../conformance/extensions/batches/batch-rig.js'
import { draft, runRelay } from '../running-relay.js'

/** Opens a store that compacts journals of more than 5 kB, in this thread. */
const openSmallStore: RelayOverrides['openStore'] = async (directory, observers) =>
  await openLowdbStore(directory, {
    ...observers,
    compactAbove: 5000,
    runCompaction: compactJournals,
  })

/** Runs a relay whose next compaction, after `beginCompaction`, finds damage. */
export async function runDamagedRelay(settings: object = {}) {
  const running = await runRelay(settings, { openStore: openSmallStore })
  const { dataDir, api } = running
  await api.post('/message', { message: draft })
  const path = join(dataDir, 'journal-000001.ndjson')
  const bytes = await readFile(path)
  bytes[bytes.indexOf('hello')] = 0x5a
  await writeFile(path, bytes)
  const beginCompaction = async () => {
    const text = 'x'.repeat(1600)
    for (const _ of [1, 2, 3, 4])
      await api.post('/message', { message: { ...draft, message: text } })
  }
  return { ...running, beginCompaction }
}

/** Runs a relay whose compactions fail; `grow` writes a journal of 70 MB. */
export async function runGrowingRelay(settings: object) {
  const runCompaction = async () => await Promise.reject(new Error('There is no space.'))
  const openStore: RelayOverrides['openStore'] = async (directory, observers) =>
    await openLowdbStore(directory, { ...observers, runCompaction })
  const { relay, api } = await runRelay(settings, { openStore })
  const messages = Array.from({ length: 1000 }, () => ({ ...draft, message: 'ä'.repeat(1600) }))
  const grow = async () => {
    while ((relay.metrics().store_journal_bytes ?? 0) < 70e6) {
      await readResults(postBatch(api, '/message/batch', messages))
      await fetch(relay.metricsUrl ?? '')
    }
  }
  return { url: relay.metricsUrl ?? '', grow }
}
