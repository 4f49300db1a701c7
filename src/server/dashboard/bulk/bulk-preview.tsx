import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { Fragment, type Html, h } from '../components/html.js'
import { DetailList, Table } from '../components/table.js'
import type { RejectedRow } from './bulk-accept.js'

const maxShownMessages = 20
const maxShownProblems = 200

/** What a table would send: totals, the rows with problems, and the first messages. */
export function BulkPreview(props: {
  readonly rows: readonly BulkRow[]
  /** How many are for numbers on the Do Not Text list. */
  readonly blocked: number
}): Html {
  const { rows, blocked } = props
  const good = rows.filter(row => row.problems.length === 0)
  const bad = rows.filter(row => row.problems.length > 0)
  const parts = good.reduce((sum, { draft }) => sum + countSmsParts(draft.message).parts, 0)
  return (
    <>
      <p role="status">Nothing is sent yet.</p>
      <DetailList
        items={[
          ['Messages', String(good.length)],
          ['Parts in all', String(parts)],
          ['Rows with problems', String(bad.length)],
          ...(blocked > 0 ? [['On the Do Not Text list', `${blocked}, not sent to`] as const] : []),
        ]}
      />
      {bad.length > 0 && <ProblemTable rows={bad} />}
      {good.length > 0 && <MessageTable rows={good} />}
    </>
  )
}

/** Rows that were not accepted. */
export function RejectedRows({ refused }: { readonly refused: readonly RejectedRow[] }): Html {
  return (
    <Table
      caption="Rows that were not accepted"
      head={['Line', 'To', 'Problem']}
      rows={refused
        .slice(0, maxShownProblems)
        .map(({ row, problem }) => [String(row.line), row.draft.destination, problem])}
      empty=""
    />
  )
}

function ProblemTable({ rows }: { readonly rows: readonly BulkRow[] }): Html {
  return (
    <>
      <h2>Problems</h2>
      <Table
        caption="Rows with problems"
        head={['Line', 'To', 'Problem']}
        rows={rows
          .slice(0, maxShownProblems)
          .map(({ line, draft, problems }) => [
            String(line),
            <span class="from">{draft.destination}</span>,
            problems.join('; '),
          ])}
        empty=""
      />
      <MoreRows count={rows.length - maxShownProblems} />
    </>
  )
}

function MessageTable({ rows }: { readonly rows: readonly BulkRow[] }): Html {
  return (
    <>
      <h2>Messages</h2>
      <Table
        caption="The first messages"
        head={['Line', 'To', 'Message', 'Parts', 'Send on (UTC)']}
        rows={rows
          .slice(0, maxShownMessages)
          .map(({ line, draft }) => [
            String(line),
            <span class="number">{draft.destination}</span>,
            <span class="text">{draft.message}</span>,
            String(countSmsParts(draft.message).parts),
            draft.send_on ?? 'at once',
          ])}
        empty=""
      />
      <MoreRows count={rows.length - maxShownMessages} />
    </>
  )
}

function MoreRows({ count }: { readonly count: number }): Html {
  return <>{count > 0 && <p>{`And ${count} more.`}</p>}</>
}
