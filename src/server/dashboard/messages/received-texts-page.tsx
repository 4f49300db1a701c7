import type { ReceivedText } from '../../../domain/phone/received-text.js'
import type { ServerContext } from '../../http/server-context.js'
import { Fragment, type Html, h } from '../components/html.js'
import { buildLink, Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { LiveSection, showLiveSection } from '../page/live-section.js'
import {
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'

const path = '/received'
const pageSize = 50

export function createReceivedTextPages({
  receivedTexts,
}: Pick<ServerContext, 'receivedTexts'>): Pages {
  return {
    [path]: {
      GET: async request => {
        const before = getQueryField(request, 'before')
        const from = /^[\w-]{1,64}$/.test(before) ? before : undefined
        const found = await receivedTexts.list(request.account, pageSize + 1, from)
        return showListPage(request, found, from)
      },
    },
  }
}

function showListPage(
  request: PageRequest,
  found: readonly ReceivedText[],
  before: string | undefined,
): PageResult {
  const shown = found.slice(0, pageSize)
  const last = found.length > pageSize ? shown.at(-1) : undefined
  const query = before === undefined ? {} : { before }
  const live = {
    id: 'received',
    path: buildLink(path, query),
    children: <ReceivedTextTable texts={shown} />,
  }
  if (request.isPartial) return showLiveSection(request, live)
  const body = (
    <>
      <p>
        Texts that people sent to the phones of this account. A keyword such as STOP puts its sender
        on the <a href="/do-not-text">Do Not Text list</a>.
      </p>
      <LiveSection {...live} />
      <Pagination
        label="Pages of received texts"
        path={path}
        previous={before === undefined ? undefined : {}}
        previousLabel="Newest"
        next={last === undefined ? undefined : { before: last.id }}
      />
    </>
  )
  return showPage({ title: 'Received texts', current: path, body })
}

function ReceivedTextTable({ texts }: { readonly texts: readonly ReceivedText[] }): Html {
  return (
    <Table
      caption="Received texts"
      head={['Received', 'From', 'To', 'Text', 'Phone']}
      rows={texts.map(({ receivedAt, from, to, text, word, phone, driver }) => [
        <Time at={receivedAt} />,
        <span class="from">{from}</span>,
        to ?? '',
        <>
          <span class="text">{text}</span>
          {word !== undefined && <span class="badge">{`${word} keyword`}</span>}
        </>,
        [phone, driver].filter(name => name !== undefined).join(', '),
      ])}
      empty="There are no received texts."
    />
  )
}
