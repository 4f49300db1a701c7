// The numbers that get no messages: the Do Not Text list of the account, and that of the relay.
// - do-not-text-page (this file): shows a page of both, adds and removes numbers
// - load-do-not-text: reads that page, newest first, and searches for a number or a note
// - do-not-text-labels: why and by whom a number was added
// - do-not-text-file-page: import and export as CSV
import { doNotTextCreate } from '../../../contract/do-not-text-schema.js'
import type { DoNotTextEntry } from '../../../domain/account/account.js'
import { limits } from '../../../domain/limits.js'
import { isRelayError } from '../../../errors.js'
import { formatCount } from '../../../util/text/plural.js'
import type { ServerContext } from '../../http/server-context.js'
import {
  type DoNotTextService,
  getDoNotTextOrigin,
} from '../../services/messages/do-not-text-service.js'
import { Card, Empty } from '../components/card.js'
import { ActionsHeader } from '../components/confirm-button.js'
import { ActionButton, Actions, Button, ButtonLink, Form, FormLink } from '../components/form.js'
import { Beside, SearchField, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { Pagination, readPageKey } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import {
  type FieldErrors,
  parseFields,
  pickFilledFields,
  toFieldErrors,
} from '../page/field-errors.js'
import {
  getField,
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { describeOrigin, describeReason, isGlobalEntry } from './do-not-text-labels.js'
import { countDoNotText, type DoNotTextListPage, loadDoNotText } from './load-do-not-text.js'

const path = '/do-not-text'
const pageSize = 100
const maxSearchLength = 100

export function createDoNotTextPages({ doNotText }: Pick<ServerContext, 'doNotText'>): Pages {
  return {
    [path]: {
      GET: async request => await showListPage(request, doNotText),
      POST: async request => await addNumber(request, doNotText),
    },
    [`${path}/remove`]: { POST: async request => await removeNumber(request, doNotText) },
  }
}

async function addNumber(request: PageRequest, doNotText: DoNotTextService): Promise<PageResult> {
  const draft = parseFields(doNotTextCreate, pickFilledFields(request.fields, ['number', 'note']))
  if ('errors' in draft) return await showListPage(request, doNotText, draft.errors)
  const { caller } = request
  const { number, note } = draft.data
  try {
    const before = request.now
    const origin = { ...getDoNotTextOrigin(caller), note }
    const entry = await doNotText.add(getScope(request), number, origin)
    const isNew = entry.at >= before
    return redirectWithSuccess(path, `${entry.number} is ${isNew ? 'now' : 'already'} on the list.`)
  } catch (error) {
    return await showListPage(request, doNotText, toFieldErrors(error))
  }
}

async function removeNumber(
  request: PageRequest,
  doNotText: DoNotTextService,
): Promise<PageResult> {
  try {
    const { number } = await doNotText.remove(getScope(request), getField(request, 'number'))
    return redirectWithSuccess(
      path,
      `${number} is no longer on the list. Messages that are blocked stay blocked.`,
    )
  } catch (error) {
    if (isRelayError(error, 'not_found') || isRelayError(error, 'invalid_parameter'))
      return redirectWithError(path, 'The number is not on the list of this account.')
    throw error
  }
}

async function showListPage(
  request: PageRequest,
  doNotText: DoNotTextService,
  errors?: FieldErrors,
): Promise<PageResult> {
  const words = getQueryField(request, 'q').trim().slice(0, maxSearchLength)
  const after = readPageKey(getQueryField(request, 'after'))
  const isSearch = words !== ''
  const [page, count] = await Promise.all([
    loadDoNotText(doNotText, request.account, { words, after, count: pageSize }),
    isSearch ? undefined : countDoNotText(doNotText, request.account),
  ])
  const { entries, next } = page
  const body = (
    <>
      <Card label="Numbers on the list">
        <Search words={words} note={count ?? describeSearch(page)} />
        <Entries entries={entries} csrf={request.csrf} isSearch={isSearch} />
        <Pagination
          label="Pages of the list"
          path={path}
          previous={after === undefined ? undefined : { q: words }}
          previousLabel="Newest"
          next={next === undefined ? undefined : { q: words, after: next }}
          nextLabel={isSearch && entries.length < pageSize ? 'Search further' : 'Next'}
        />
      </Card>
      <Card title="Add a number">
        <AddForm request={request} errors={errors} />
      </Card>
    </>
  )
  const lead = 'No messages are sent to the numbers on this list.'
  const status = errors === undefined ? 200 : 400
  const actions = <ListActions />
  return showPage({ title: 'Do Not Text list', current: path, lead, actions, body, status })
}

function ListActions(): Html {
  return (
    <>
      <FormLink id="add-a-number" label="Add a number" />
      <ButtonLink href={`${path}/import`} label="Import" icon="table" />
      <a class="btn" href={`${path}/export`} download="do-not-text.csv">
        <Icon name="download" />
        Export as CSV
      </a>
    </>
  )
}

function AddForm(props: { request: PageRequest; errors: FieldErrors | undefined }): Html {
  const { request, errors } = props
  return (
    <Form action={path} csrf={request.csrf} label="Add a number">
      <Beside>
        <TextField
          label="Number"
          name="number"
          type="tel"
          value={getField(request, 'number')}
          required
          hint="In international form, such as +12025550123."
          error={errors?.number}
        />
        <TextField
          label="Note"
          name="note"
          value={getField(request, 'note')}
          hint={`The reason, at most ${limits.note} characters; can be empty.`}
          error={errors?.note}
        />
      </Beside>
      <Actions>
        <Button label="Add to the list" />
      </Actions>
    </Form>
  )
}

function Search({ words, note }: { readonly words: string; readonly note: string }): Html {
  return (
    <form method="get" action={path} class="filters" aria-label="Search the list">
      <SearchField
        text="Number or note"
        label="Number or note"
        words={words}
        maxLength={maxSearchLength}
      />
      <Button label="Search" variant="secondary" />
      <p class="quiet small">{note}</p>
    </form>
  )
}

function Entries(props: {
  readonly entries: readonly DoNotTextEntry[]
  readonly csrf: string
  readonly isSearch: boolean
}): Html {
  const { entries, csrf, isSearch } = props
  return (
    <Table
      caption="Numbers on the Do Not Text list"
      head={['Number', 'Since', 'Reason', 'By', 'Note', <ActionsHeader />]}
      rows={entries.map(entry => [
        <span class="num">{entry.number}</span>,
        <Time at={entry.at} />,
        describeReason(entry),
        describeOrigin(entry),
        isGlobalEntry(entry) ? '' : <span class="text">{entry.note ?? ''}</span>,
        isGlobalEntry(entry) ? (
          <span class="quiet small">all accounts</span>
        ) : (
          <ActionButton
            action={`${path}/remove`}
            csrf={csrf}
            label="Remove"
            title={`Remove ${entry.number}`}
            variant="secondary"
            fields={{ number: entry.number }}
          />
        ),
      ])}
      empty={
        <Empty icon="ban" title={isSearch ? 'No matching numbers' : 'No numbers yet'}>
          {isSearch
            ? 'Search for another number or note.'
            : 'Numbers are added here, through the API, from a file, or when they text STOP.'}
        </Empty>
      }
    />
  )
}

/** Says how many numbers a page of search results has, and which ones the search covers. */
function describeSearch({ entries, next, seen }: DoNotTextListPage): string {
  const found = `${entries.length} ${entries.length === 1 ? 'match' : 'matches'}`
  if (next === undefined) return found
  if (entries.length >= pageSize) return `${found} on this page; the next page has more.`
  return `${found} in ${formatCount(seen)} numbers. The next page searches older ones.`
}

export function getScope({ account }: Pick<PageRequest, 'account'>) {
  return { scope: account.id, country: account.country }
}
