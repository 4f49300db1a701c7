import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import { useGsmLetters } from '../../../domain/sms/fewer-parts.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { Card, CardBody } from '../components/card.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Facts, Table } from '../components/table.js'
import type { RejectedRow } from './bulk-accept.js'

const maxShownMessages = 20
const maxShownProblems = 200

export function BulkPreview(props: {
  readonly rows: readonly BulkRow[]
  readonly blocked: ReadonlySet<string>
  readonly hasLines: boolean
}): Html {
  const { rows, blocked, hasLines } = props
  const valid = rows.filter(row => row.problems.length === 0)
  const invalid = rows.filter(row => row.problems.length > 0)
  const doubtful = valid.filter(row => row.warnings.length > 0)
  const listed = valid.filter(row => blocked.has(row.draft.destination))
  const sent = valid.filter(row => !blocked.has(row.draft.destination))
  const parts = sumParts(sent, text => text)
  const fewer = sumParts(sent, useGsmLetters)
  return (
    <>
      <Card title="Nothing is sent yet" id="preview">
        <CardBody>
          <Facts
            items={[
              ['Messages', String(sent.length)],
              ['Parts', String(parts)],
              ...(fewer < parts ? [['With plain quotes and dashes', String(fewer)] as const] : []),
              ['Invalid rows', String(invalid.length)],
              ['On the Do Not Text list (not sent)', String(listed.length)],
            ]}
          />
        </CardBody>
      </Card>
      {invalid.length > 0 && (
        <ProblemTable title="Invalid rows" rows={invalid} hasLines={hasLines} kind="problems" />
      )}
      {doubtful.length > 0 && (
        <ProblemTable
          title="Numbers to check"
          rows={doubtful}
          hasLines={hasLines}
          kind="warnings"
        />
      )}
      {listed.length > 0 && (
        <MessageTable title="Not sent: on the Do Not Text list" rows={listed} hasLines={hasLines} />
      )}
      {sent.length > 0 && <MessageTable title="Messages" rows={sent} hasLines={hasLines} />}
    </>
  )
}

export function RejectedRows(props: {
  readonly rejected: readonly RejectedRow[]
  readonly hasLines: boolean
}): Html {
  const { rejected, hasLines } = props
  return (
    <RowTable
      caption="Rejected rows"
      head={['To', 'Problem']}
      hasLines={hasLines}
      rows={rejected
        .slice(0, maxShownProblems)
        .map(({ row, problem }) => [row.line, row.draft.destination, problem])}
    />
  )
}

/** A table whose first column is the line in the file. */
function RowTable(props: {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly [line: number, ...cells: Child[]])[]
  readonly hasLines: boolean
}): Html {
  const { caption, head, rows, hasLines } = props
  return (
    <Table
      caption={caption}
      head={hasLines ? ['Line', ...head] : head}
      isTitleNamed={hasLines}
      rows={rows.map(([line, ...cells]) => (hasLines ? [String(line), ...cells] : cells))}
      empty=""
    />
  )
}

interface RowsProps {
  readonly rows: readonly BulkRow[]
  readonly hasLines: boolean
}

interface ProblemTableProps extends RowsProps {
  readonly title: string
  readonly kind: 'problems' | 'warnings'
}

function ProblemTable({ title, rows, hasLines, kind }: ProblemTableProps): Html {
  return (
    <Card title={title}>
      <RowTable
        caption={title}
        head={['To', 'Problem']}
        hasLines={hasLines}
        rows={rows
          .slice(0, maxShownProblems)
          .map(row => [
            row.line,
            <span class="from">{row.draft.destination}</span>,
            row[kind].join('; '),
          ])}
      />
      <MoreRows count={rows.length - maxShownProblems} />
    </Card>
  )
}

function sumParts(rows: readonly BulkRow[], change: (text: string) => string): number {
  return rows.reduce((sum, { draft }) => sum + countSmsParts(change(draft.message)).parts, 0)
}

function MessageTable({ title, rows, hasLines }: RowsProps & { readonly title: string }): Html {
  return (
    <Card title={title}>
      <RowTable
        caption={title}
        head={['To', 'Message', 'Parts', 'Send on (UTC)']}
        hasLines={hasLines}
        rows={rows
          .slice(0, maxShownMessages)
          .map(({ line, draft }) => [
            line,
            <span class="num">{draft.destination}</span>,
            <span class="text">{draft.message}</span>,
            String(countSmsParts(draft.message).parts),
            draft.send_on ?? 'at once',
          ])}
      />
      <MoreRows count={rows.length - maxShownMessages} />
    </Card>
  )
}

function MoreRows({ count }: { readonly count: number }): Html {
  return <>{count > 0 && <p class="none">{`${count} more are not shown.`}</p>}</>
}
