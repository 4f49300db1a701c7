import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { Card, CardBody } from '../components/card.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Facts, Table } from '../components/table.js'
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
      <Card title="Nothing is sent yet" id="preview">
        <CardBody>
          <Facts
            items={[
              ['Messages', String(valid.length)],
              ['Parts', String(parts)],
              ['Invalid rows', String(invalid.length)],
              ...(blocked > 0
                ? [['On the Do Not Text list (not sent)', String(blocked)] as const]
                : []),
            ]}
          />
        </CardBody>
      </Card>
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
      isTitleNamed
      rows={rejected
        .slice(0, maxShownProblems)
        .map(({ row, problem }) => [String(row.line), row.draft.destination, problem])}
      empty=""
    />
  )
}

function ProblemTable({ rows }: { readonly rows: readonly BulkRow[] }): Html {
  return (
    <Card title="Invalid rows">
      <Table
        caption="Invalid rows"
        head={['Line', 'To', 'Problem']}
        isTitleNamed
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
    </Card>
  )
}

function MessageTable({ rows }: { readonly rows: readonly BulkRow[] }): Html {
  return (
    <Card title="Messages">
      <Table
        caption="The first messages"
        head={['Line', 'To', 'Message', 'Parts', 'Send on (UTC)']}
        isTitleNamed
        rows={rows
          .slice(0, maxShownMessages)
          .map(({ line, draft }) => [
            String(line),
            <span class="num">{draft.destination}</span>,
            <span class="text">{draft.message}</span>,
            String(countSmsParts(draft.message).parts),
            draft.send_on ?? 'at once',
          ])}
        empty=""
      />
      <MoreRows count={rows.length - maxShownMessages} />
    </Card>
  )
}

function MoreRows({ count }: { readonly count: number }): Html {
  return <>{count > 0 && <p class="none">{`${count} more are not shown.`}</p>}</>
}
