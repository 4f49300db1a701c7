import type { Received } from '../../../domain/phone/received-text.js'
import type { AppParts } from '../../app.js'
import { Fragment, type Html, h } from '../components/html.js'
import { linkTo, Pagination } from '../components/pagination.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { Live, livePart } from '../page/live-section.js'
import { type Answer, type Pages, page, queryField, type Visit } from '../page/page.js'

const path = '/received'
const pageSize = 50

/** Texts that reached phones, the newest first. */
export function receivedPages({ received }: Pick<AppParts, 'received'>): Pages {
  return {
    [path]: {
      GET: async visit => {
        const before = queryField(visit, 'before')
        const from = /^[\w-]{1,64}$/.test(before) ? before : undefined
        const found = await received.list(visit.account, pageSize + 1, from)
        return listPage(visit, found, from)
      },
    },
  }
}

function listPage(visit: Visit, found: readonly Received[], before: string | undefined): Answer {
  const shown = found.slice(0, pageSize)
  const last = found.length > pageSize ? shown.at(-1) : undefined
  const query = before === undefined ? {} : { before }
  const live = { id: 'received', path: linkTo(path, query), children: <List texts={shown} /> }
  if (visit.partial) return livePart(visit, live)
  const body = (
    <>
      <p>
        Texts that people sent to the phones of this account. A word such as STOP puts its sender on
        the <a href="/blocklist">Do Not Text list</a>.
      </p>
      <Live {...live} />
      <Pagination
        label="Pages of received texts"
        path={path}
        previous={before === undefined ? undefined : {}}
        previousLabel="Newest"
        next={last === undefined ? undefined : { before: last.id }}
      />
    </>
  )
  return page({ title: 'Received texts', current: path, body })
}

function List({ texts }: { readonly texts: readonly Received[] }): Html {
  return (
    <Table
      caption="Received texts"
      head={['Received', 'From', 'Text', 'Phone']}
      rows={texts.map(({ receivedAt, from, text, word, phone }) => [
        <Time at={receivedAt} />,
        <span class="from">{from}</span>,
        <>
          <span class="text">{text}</span>
          {word !== undefined && <span class="badge">{`${word} word`}</span>}
        </>,
        phone ?? '',
      ])}
      empty="No text was received."
    />
  )
}
