import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { Fragment, type Html, h } from '../components/html.js'
import { DetailList, Table } from '../components/table.js'
import type { RejectedRow } from './bulk-accept.js'

const maxShownMessages = 20
const maxShownProblems = 200

export function BulkPreview(props: {
  readonly rows: readonly BulkRow[]
  /** Rows of the previewed bulk form with a number on the Do Not Text list. */
  readonly blocked: number
}): Html {
  const { rows, blocked } = props
  const valid = rows.filter(row => row.problems.length === 0)
  const invalid = rows.filter(row => row.problems.length > 0)
  const parts = valid.reduce((sum, { draft }) => sum + countSmsParts(draft.message).parts, 0)
  return (
    <>
      <p role="status">Nothing is sent yet.</p>
      <DetailList
        items={[
          ['Messages', String(valid.length)],
          ['Parts', String(parts)],
          ['Invalid rows', String(invalid.length)],
          ...(blocked > 0
            ? [['On the Do Not Text list (not sent)', String(blocked)] as const]
            : []),
        ]}
      />
      {invalid.length > 0 && <ProblemTable rows={invalid} />}
      {valid.length > 0 && <MessageTable rows={valid} />}
    </>
  )
}

export function RejectedRows({ rejected }: { readonly rejected: readonly RejectedRow[] }): Html {
  return (
    <Table
      caption="Rejected rows"
      head={['Line', 'To', 'Problem']}
      rows={rejected
        .slice(0, maxShownProblems)
        .map(({ row, problem }) => [String(row.line), row.draft.destination, problem])}
      empty=""
    />
  )
}

function ProblemTable({ rows }: { readonly rows: readonly BulkRow[] }): Html {
  return (
    <>
      <h2>Invalid rows</h2>
      <Table
        caption="Invalid rows"
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
  return <>{count > 0 && <p>{`${count} more are not shown.`}</p>}</>
}
