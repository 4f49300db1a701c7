import type { ReceivedText } from '../../../domain/phone/received-text.js'
import type { ServerContext } from '../../http/server-context.js'
import { Card, Empty } from '../components/card.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Pagination } from '../components/pagination.js'
import { Pill } from '../components/pill.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { getQueryField, type PageResult, type Pages, showPage } from '../page/page.js'
import { getConversationPath } from './message-path.js'
import { ReceivedContent } from './received-content.js'

const path = '/received'
const pageSize = 50

export function createReceivedTextPages({
  receivedTexts,
  contacts,
}: Pick<ServerContext, 'receivedTexts' | 'contacts'>): Pages {
  return {
    [path]: {
      GET: async request => {
        const before = getQueryField(request, 'before')
        const from = /^[\w-]{1,64}$/.test(before) ? before : undefined
        const found = await receivedTexts.list(request.account, pageSize + 1, from)
        const numbers = found.map(each => each.number ?? each.from)
        return showListPage(found, from, await contacts.findNames(request.account, numbers))
      },
    },
  }
}

type Names = ReadonlyMap<string, string>

function showListPage(
  found: readonly ReceivedText[],
  before: string | undefined,
  names: Names,
): PageResult {
  const shown = found.slice(0, pageSize)
  const last = found.length > pageSize ? shown.at(-1) : undefined
  const body = (
    <Card label="Received texts">
      <ReceivedTextTable texts={shown} names={names} />
      <Pagination
        label="Pages of received texts"
        path={path}
        previous={before === undefined ? undefined : {}}
        previousLabel="Newest"
        next={last === undefined ? undefined : { before: last.id }}
      />
    </Card>
  )
  const lead = (
    <>
      Texts that people sent to the phones of this account. A keyword such as STOP puts its sender
      on the <a href="/do-not-text">Do Not Text list</a>.
    </>
  )
  const parent = { path: '/conversations', label: 'Conversations' }
  const page = { title: 'Received texts', current: parent.path, parent, lead, body }
  return showPage({ ...page, isLive: true })
}

function ReceivedTextTable(props: { texts: readonly ReceivedText[]; names: Names }): Html {
  const { texts, names } = props
  return (
    <Table
      caption="Received texts"
      head={['From', 'Text', 'To', 'Phone', 'Received']}
      rows={texts.map(received => toRow(received, names))}
      empty={
        <Empty icon="in" title="No received texts">
          Texts that people send to your phones appear here.
        </Empty>
      }
    />
  )
}

function toRow(received: ReceivedText, names: Names): Child[] {
  const { receivedAt, from, number, to, word, phone, driver, line } = received
  const receiver = new Set([phone, driver, line].filter(name => name !== undefined))
  return [
    <>
      <a href={getConversationPath(number ?? from)}>{names.get(number ?? from) ?? from}</a>
      {names.has(number ?? from) && <span class="sub">{from}</span>}
    </>,
    <>
      <span class="text">
        <ReceivedContent received={received} />
      </span>{' '}
      {word !== undefined && (
        <Pill tone="idle" icon="ban">
          {`${word} keyword`}
        </Pill>
      )}
    </>,
    to ?? '–',
    [...receiver].join(', ') || '–',
    <Time at={receivedAt} />,
  ]
}
