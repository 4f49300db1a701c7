import { blocklistEntry } from '../../../contract/do-not-text-schema.js'
import type { BlockEntry } from '../../../domain/account/account.js'
import { limits } from '../../../domain/limits.js'
import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { type BlocklistService, originOf } from '../../services/messages/do-not-text-service.js'
import { ActionsHead } from '../components/confirm-button.js'
import { ActionButton, Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { linkTo, Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { checked, errorsFrom, type FieldErrors, given } from '../page/field-errors.js'
import {
  type Answer,
  done,
  failed,
  field,
  type Pages,
  page,
  queryField,
  type Visit,
} from '../page/page.js'

const path = '/blocklist'
const pageSize = 100
const longestSearch = 100

/** The Do Not Text list: who is on it, adding and removing. */
export function blocklistPages({ blocklist }: Pick<AppParts, 'blocklist'>): Pages {
  return {
    [path]: {
      GET: async visit => await listPage(visit, blocklist),
      POST: async visit => await add(visit, blocklist),
    },
    [`${path}/remove`]: { POST: async visit => await remove(visit, blocklist) },
  }
}

async function add(visit: Visit, blocklist: BlocklistService): Promise<Answer> {
  const draft = checked(blocklistEntry, given(visit.fields, ['number', 'note']))
  if ('errors' in draft) return await listPage(visit, blocklist, draft.errors)
  const { account, caller } = visit
  const { number, note } = draft.data
  try {
    const before = visit.now
    const origin = { ...originOf(account, caller.kind), note }
    const entry = await blocklist.add(scopeOf(visit), number, origin)
    const isNew = entry.at >= before
    return done(path, `${entry.number} ${isNew ? 'is' : 'was already'} on the list.`)
  } catch (error) {
    return await listPage(visit, blocklist, errorsFrom(error))
  }
}

/** Messages that were blocked stay so: the person who removes the number sends them again if they are still wanted. */
async function remove(visit: Visit, blocklist: BlocklistService): Promise<Answer> {
  try {
    const { number } = await blocklist.remove(scopeOf(visit), field(visit, 'number'))
    return done(path, `${number} is no longer on the list. What was blocked before stays blocked.`)
  } catch (error) {
    if (isRelayError(error, 'not_found') || isRelayError(error, 'invalid_parameter'))
      return failed(path, 'The number is not on the list of this account.')
    throw error
  }
}

async function listPage(
  visit: Visit,
  blocklist: BlocklistService,
  errors?: FieldErrors,
): Promise<Answer> {
  const words = queryField(visit, 'q').trim().slice(0, longestSearch)
  const start = startOf(queryField(visit, 'start'))
  const found = (await entriesOf(visit, blocklist)).filter(matcher(words))
  const query = (from: number) => ({ q: words, start: from === 0 ? '' : String(from) })
  const body = (
    <>
      <p>Nobody on this list is sent a text, whichever way it came in.</p>
      <AddForm visit={visit} errors={errors} />
      <Search words={words} count={found.length} />
      <Entries entries={found.slice(start, start + pageSize)} csrf={visit.csrf} />
      <Pagination
        label="Pages of the list"
        path={path}
        previous={start > 0 ? query(Math.max(0, start - pageSize)) : undefined}
        next={start + pageSize < found.length ? query(start + pageSize) : undefined}
      />
      <h2>As a file</h2>
      <p>
        <a href={`${path}/import`}>Import a CSV file</a>, or{' '}
        <a href={`${path}/export`} download="do-not-text.csv">
          export this account's list
        </a>
        .
      </p>
    </>
  )
  const status = errors === undefined ? 200 : 400
  return page({ title: 'Do Not Text list', current: path, body, status })
}

function AddForm({ visit, errors }: { visit: Visit; errors: FieldErrors | undefined }): Html {
  return (
    <Form action={path} csrf={visit.csrf} label="Add a number">
      <div class="beside">
        <TextField
          label="Number"
          name="number"
          type="tel"
          value={field(visit, 'number')}
          required
          hint="In international form, such as +12025550123."
          error={errors?.number}
        />
        <TextField
          label="Note"
          name="note"
          value={field(visit, 'note')}
          hint={`Why; at most ${limits.note} characters, may be empty.`}
          error={errors?.note}
        />
      </div>
      <Button label="Add to the list" />
    </Form>
  )
}

function Search({ words, count }: { readonly words: string; readonly count: number }): Html {
  return (
    <form method="get" action={path} class="filters" aria-label="Which entries">
      <TextField
        label="Number or note"
        name="q"
        type="search"
        value={words}
        maxlength={longestSearch}
      />
      <Button label="Show" look="secondary" />
      <p class="count">{`${count} ${count === 1 ? 'number' : 'numbers'}`}</p>
    </form>
  )
}

function Entries({ entries, csrf }: { entries: readonly BlockEntry[]; csrf: string }): Html {
  return (
    <Table
      caption="Numbers on the Do Not Text list"
      head={['Number', 'Since', 'Why', 'By', 'Note', <ActionsHead />]}
      rows={entries.map(entry => [
        <span class="number">{entry.number}</span>,
        <Time at={entry.at} />,
        whyOf(entry),
        isOfService(entry) ? '' : (entry.by ?? ''),
        isOfService(entry) ? '' : <span class="text">{entry.note ?? ''}</span>,
        isOfService(entry) ? (
          <span class="number">whole service</span>
        ) : (
          <ActionButton
            action={`${path}/remove`}
            csrf={csrf}
            label="Remove"
            title={`Remove ${entry.number}`}
            look="secondary"
            fields={{ number: entry.number }}
          />
        ),
      ])}
      empty="There are no such numbers."
    />
  )
}

const reasons = {
  person: 'a person',
  api: 'a program',
  stop: 'its owner texted a stop word',
  import: 'a file',
} as const

/** Of the whole service's list accounts see the numbers, not who wrote what about them. */
function whyOf(entry: BlockEntry): string {
  if (isOfService(entry)) return 'listed by the service for all accounts'
  return entry.reason === undefined ? '' : reasons[entry.reason]
}

function isOfService({ scope }: BlockEntry): boolean {
  return scope === '*'
}

/** The numbers that count for the account, the newest first. */
async function entriesOf(visit: Visit, blocklist: BlocklistService): Promise<BlockEntry[]> {
  const own = await blocklist.list(scopeOf(visit))
  const all = await blocklist.list({ ...scopeOf(visit), scope: '*' })
  return [...own, ...all].sort((a, b) => b.at - a.at || (a.number < b.number ? -1 : 1))
}

function matcher(words: string): (entry: BlockEntry) => boolean {
  const wanted = words.toLowerCase()
  const digits = /^[+\d\s().\-/]+$/.test(wanted) ? wanted.replace(/\D/g, '') : ''
  return entry =>
    wanted === '' ||
    (digits !== '' && entry.number.includes(digits)) ||
    (!isOfService(entry) && (entry.note ?? '').toLowerCase().includes(wanted))
}

function startOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** Whose list a visitor works on. */
export function scopeOf({ account }: Pick<Visit, 'account'>) {
  return { scope: account.id, country: account.country }
}
