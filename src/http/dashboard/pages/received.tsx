import type { Received } from '../../../domain/received.js'
import type { ReceivedService } from '../../../services/received.js'
import type { AppParts } from '../../app.js'
import { Fragment, type Html, h } from '../html.js'
import { Live, livePart } from '../parts/live.js'
import { linkTo, Pagination } from '../parts/pagination.js'
import { Table } from '../parts/table.js'
import { Time } from '../parts/time.js'
import { type Answer, type Pages, page, queryField, type Visit } from '../visit.js'

const path = '/received'
const pageSize = 50

/** The texts that reached the account's phones, the newest first. */
export function receivedPages({ received }: Pick<AppParts, 'received'>): Pages {
  return { [path]: { GET: async visit => await listPage(visit, received) } }
}

async function listPage(visit: Visit, service: ReceivedService): Promise<Answer> {
  const before = queryField(visit, 'before')
  const asked = before === '' ? undefined : before
  const found = await service.list(visit.account, pageSize + 1, asked)
  const shown = found.slice(0, pageSize)
  const list = <List texts={shown} />
  const live = { id: 'received', path: linkTo(path, { before }), children: list }
  if (visit.partial) return livePart(visit, live)
  const last = found.length > pageSize ? shown.at(-1)?.id : undefined
  const body = (
    <>
      <Live {...live} />
      <Pagination
        label="Pages of received texts"
        path={path}
        previous={before === '' ? undefined : {}}
        previousLabel="Newest"
        next={last === undefined ? undefined : { before: last }}
      />
    </>
  )
  return page({ title: 'Received texts', current: path, body })
}

function List({ texts }: { readonly texts: readonly Received[] }): Html {
  return (
    <Table
      caption="Received texts"
      head={['Received', 'From', 'Text', 'Phone', 'Word']}
      rows={texts.map(({ receivedAt, from, text, phone, word }) => [
        <Time at={receivedAt} />,
        <span class="number">{from}</span>,
        <span class="text">{text}</span>,
        phone ?? '',
        word === undefined ? '' : wordNames[word],
      ])}
      empty="No text has reached a phone of this account yet."
    />
  )
}

const wordNames = {
  stop: 'asks for no more texts',
  start: 'asks for texts again',
} as const satisfies Record<NonNullable<Received['word']>, string>
