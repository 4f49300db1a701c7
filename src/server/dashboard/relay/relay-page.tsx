// The page about the relay itself, for the owner only; other accounts get 404.
// 1. The service reads the state once for each request, so the page is not live: its sizes and the
//    free space of the disk change all the time.
// 2. A data directory and a database have different facts. A fact that the store does not know yet
//    is shown as unknown.
import { formatCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import type { RelayState } from '../../services/relay-state-service.js'
import { Card, CardBody } from '../components/card.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { type PageResult, type Pages, showPage } from '../page/page.js'
import { restrictToOwner } from '../page/page-guards.js'

const path = '/relay'

type Context = Pick<ServerContext, 'accounts' | 'relayState'>

/** The page about the relay itself and its store, for the owner only. */
export function createRelayPages(context: Context): Pages {
  const { relayState } = context
  return restrictToOwner(context, {
    [path]: { GET: async () => showRelayPage(await relayState.read()) },
  })
}

type FactList = readonly (readonly [Child, Child])[]

function showRelayPage(state: RelayState): PageResult {
  const body = (
    <div class="pair">
      <FactsCard title="Program" facts={listProgramFacts(state)} />
      <FactsCard title="Queue" facts={listQueueFacts(state)} />
      <FactsCard
        title="Storage"
        facts={state.isShared ? listDatabaseFacts(state) : listDirectoryFacts(state)}
      />
    </div>
  )
  return showPage({ title: 'Relay', current: path, body })
}

function FactsCard({ title, facts }: { readonly title: string; facts: FactList }): Html {
  return (
    <Card title={title}>
      <CardBody>
        <Facts items={facts} />
      </CardBody>
    </Card>
  )
}

function listProgramFacts({ version = 'unknown', startedAt }: RelayState): FactList {
  return [
    ['Version', version],
    ['Node.js', process.version],
    ['Started', <Time at={startedAt} exact />],
  ]
}

function listQueueFacts({ queue }: RelayState): FactList {
  const { waiting, due, leased, oldestDueAt } = queue
  return [
    ['Waiting, all accounts', formatCount(waiting)],
    ['Due', formatCount(due)],
    ['With a phone', formatCount(leased)],
    ['Oldest due', oldestDueAt === undefined ? 'none' : <Time at={oldestDueAt} />],
  ]
}

function listDatabaseFacts({ metrics }: RelayState): FactList {
  return [
    ['Store', 'PostgreSQL database'],
    ['Size of the database', formatBytes(metrics.pg_database_bytes)],
    ['Last vacuum of messages', formatTime(metrics.pg_vacuum_timestamp_seconds)],
    ['Rows that a vacuum can remove', formatNumber(metrics.pg_dead_rows)],
  ]
}

function listDirectoryFacts({ metrics, isDamaged }: RelayState): FactList {
  const compactions = metrics['store_compactions_total{result="done"}'] ?? 0
  const failed = metrics['store_compactions_total{result="failed"}'] ?? 0
  return [
    ['Store', 'Data directory'],
    ['Free space of the disk', formatBytes(metrics.store_free_bytes)],
    ['Size of the journals', formatBytes(metrics.store_journal_bytes)],
    ['Size of the snapshot', formatBytes(metrics.store_snapshot_bytes)],
    ['Last compaction', formatTime(metrics.store_snapshot_timestamp_seconds)],
    ['Compactions since the start', `${formatCount(compactions)}, ${formatCount(failed)} failed`],
    ['Damage', isDamaged ? 'found; restore the data from a backup' : 'none found'],
  ]
}

/** Formats a time in seconds since the epoch; 0 stands for none. */
function formatTime(seconds: number | undefined): Child {
  if (seconds === undefined) return 'unknown'
  return seconds === 0 ? 'none' : <Time at={seconds * 1000} exact />
}

function formatNumber(count: number | undefined): string {
  return count === undefined ? 'unknown' : formatCount(count)
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats bytes with a binary unit; undefined ones are not known yet. */
function formatBytes(bytes: number | undefined): string {
  if (bytes === undefined) return 'unknown'
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  const digits = power === 0 ? 0 : 1
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${units[power]}`
}
