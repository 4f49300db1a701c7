// The audit log: sign-ins and changes, the newest first.
// - audit-page: the list with its filters; admins see the entries of their account, those of the
//   owner the entries of all accounts
// - audit-query: the filters in the address of the page
// - audit-file: the list as a CSV file, streamed
// The page is not live: to read it is no change, and its own requests leave no entries.
import type { AuditEntry } from '../../../domain/audit/audit-entry.js'
import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, Empty } from '../components/card.js'
import { Button } from '../components/form.js'
import { SearchField, Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { Notice } from '../components/notice.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { Pill } from '../components/pill.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { DayField } from '../message-list/message-filters.js'
import { type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { formatZone, readTimeZone } from '../page/page-times.js'
import { sendAuditLog } from './audit-file.js'
import {
  type AuditPageQuery,
  auditResources,
  isFiltered,
  readAuditQuery,
  toAuditFilter,
} from './audit-query.js'

type Context = Pick<ServerContext, 'audit' | 'accounts'>

const auditPath = '/audit'
const pageSize = 50

export function createAuditPages(context: Context): Pages {
  return {
    [auditPath]: { GET: async request => await showAuditPage(request, context) },
    [`${auditPath}.csv`]: { GET: async request => await sendAuditLog(request, context) },
  }
}

interface AuditList {
  readonly entries: readonly AuditEntry[]
  /** E-mail addresses of the accounts of the entries by id, for the owner. */
  readonly accounts: ReadonlyMap<string, string> | undefined
  readonly error?: string
}

async function loadEntries(
  request: PageRequest,
  query: AuditPageQuery,
  { audit, accounts }: Context,
): Promise<AuditList> {
  const { account } = request
  const isOwner = await audit.isOwner(account)
  const before = /^[\w-]{1,64}$/.test(query.before) ? query.before : undefined
  const chosen = query.account === '' ? undefined : query.account
  const filter = { ...toAuditFilter(query, request), before, count: pageSize + 1 }
  try {
    const entries = await audit.getPage(account, { ...filter, account: chosen })
    const found = isOwner ? await accounts.find(entries.map(each => each.account)) : undefined
    return { entries, accounts: found && new Map(found.map(({ id, email }) => [id, email])) }
  } catch (error) {
    if (!isRelayError(error, 'not_found')) throw error
    return { entries: [], accounts: isOwner ? new Map() : undefined, error: error.message }
  }
}

async function showAuditPage(request: PageRequest, context: Context): Promise<PageResult> {
  const query = readAuditQuery(request)
  const list = await loadEntries(request, query, context)
  const { entries, error } = list
  const last = entries.length > pageSize ? entries[pageSize - 1] : undefined
  const body = (
    <>
      {error !== undefined && <Notice kind="failed">{error}</Notice>}
      <Card label="Audit log">
        <Filters query={query} zone={formatZone(readTimeZone(request))} list={list} />
        <EntryTable list={list} isFiltered={isFiltered(query)} />
        <Pagination
          label="Pages of the audit log"
          path={auditPath}
          previous={query.before === '' ? undefined : { ...query, before: '' }}
          previousLabel="Newest"
          next={last && { ...query, before: last.id }}
        />
      </Card>
    </>
  )
  const lead =
    list.accounts === undefined
      ? 'Sign-ins and changes of this account, without secrets, texts and numbers.'
      : 'Sign-ins and changes of all accounts, without secrets, texts and numbers.'
  const actions = (
    <a
      class="btn"
      href={buildLink(`${auditPath}.csv`, { ...query, before: '' })}
      download="audit-log.csv"
    >
      <Icon name="download" />
      Export as CSV
    </a>
  )
  const status = error === undefined ? 200 : 404
  return showPage({ title: 'Audit log', current: auditPath, lead, actions, body, status })
}

function Filters(props: {
  readonly query: AuditPageQuery
  readonly zone: string
  readonly list: AuditList
}): Html {
  const { query, zone, list } = props
  const options = auditResources.map(name => [name, toWords(name)] as const)
  return (
    <form method="get" action={auditPath} class="filters" aria-label="Filter the audit log">
      <SearchField text="Person or key" label="Person or key" words={query.q} maxLength={254} />
      <button type="button" class="btn opener" popovertarget="more-filters">
        <Icon name="filter" />
        Filters
      </button>
      <div class="more" id="more-filters" popover="auto">
        <h2>Filters</h2>
        <Select
          label="What"
          name="action"
          value={query.action}
          options={[['', 'Everything'], ...options]}
        />
        <TextField label="Target" name="target" value={query.target} />
        <TextField label="IP address" name="address" value={query.address} />
        {list.accounts !== undefined && (
          <TextField label="Account (e-mail)" name="account" value={query.account} />
        )}
        <DayField label={`From (${zone})`} name="from" value={query.from} />
        <DayField label={`To (${zone})`} name="to" value={query.to} />
        <Button label="Apply" variant="secondary" />
      </div>
    </form>
  )
}

function EntryTable(props: { readonly list: AuditList; readonly isFiltered: boolean }): Html {
  const { entries, accounts } = props.list
  const head = ['Action', 'Who', 'Target', 'Address', 'When']
  return (
    <Table
      caption="Audit log"
      head={accounts === undefined ? head : [...head, 'Account']}
      rows={entries
        .slice(0, pageSize)
        .map(entry => [
          <ActionCell entry={entry} />,
          <ActorCell entry={entry} />,
          <TargetCell entry={entry} />,
          <span>{[entry.address, entry.device].filter(Boolean).join(', ') || '–'}</span>,
          <Time at={entry.at} exact />,
          ...(accounts === undefined ? [] : [formatAccount(entry.account, accounts)]),
        ])}
      empty={
        <Empty icon="log" title={props.isFiltered ? 'No entry matches' : 'No entries yet'}>
          {props.isFiltered ? 'Remove a filter.' : 'The next sign-in or change appears here.'}
        </Empty>
      }
    />
  )
}

function ActionCell({ entry }: { readonly entry: AuditEntry }): Html {
  const { action, detail, refused = false } = entry
  const [resource = '', verb = ''] = action.split('.')
  return (
    <span class="text" title={action}>
      {`${toWords(resource)}: ${verb.replaceAll('_', ' ')}`}
      {detail !== undefined && ` (${detail})`}
      {refused && ' '}
      {refused && (
        <Pill tone="bad" icon="ban">
          Refused
        </Pill>
      )}
    </span>
  )
}

function ActorCell({ entry: { actor } }: { readonly entry: AuditEntry }): Html {
  if (actor.kind === 'administration') return <span>Administrator</span>
  return <span>{actor.name ?? actor.id ?? toWords(actor.kind)}</span>
}

function TargetCell({ entry: { target, action } }: { readonly entry: AuditEntry }): Html {
  if (target === undefined) return <span>–</span>
  const name = target.name ?? target.id
  const kind = action.startsWith(`${target.kind}.`) ? '' : `${toWords(target.kind)} `
  return <span>{`${kind}${name ?? ''}`}</span>
}

function formatAccount(id: string, accounts: ReadonlyMap<string, string>): string {
  return id === '*' ? 'The relay' : (accounts.get(id) ?? `Deleted (${id})`)
}

/** The name of a resource in words: `signing_secret` becomes "Signing secret". */
function toWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace('do not text', 'Do Not Text')
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\b(url|api)\b/i, word =>
    word.toUpperCase(),
  )
}
