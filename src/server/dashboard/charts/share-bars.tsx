import type { GroupCounts } from '../../../domain/message/message-counts.js'
import { formatCount, pluralize } from '../../../util/text/plural.js'
import { Fragment, type Html, h } from '../components/html.js'

const maxShown = 10

export function ShareBars(props: {
  readonly rows: readonly (readonly [label: string, counts: GroupCounts])[]
}): Html {
  const { rows } = props
  const most = Math.max(1, ...rows.map(([, { created }]) => created))
  const hidden = rows.length - maxShown
  return (
    <>
      <ul class="shares">
        {rows.slice(0, maxShown).map(([label, counts]) => (
          <li>
            <span class="clip">{label}</span>
            <Bar counts={counts} most={most} />
            <span class="tabular">{describeCounts(counts)}</span>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p class="quiet small">{`The table has ${hidden} more.`}</p>}
    </>
  )
}

function Bar({ counts, most }: { readonly counts: GroupCounts; most: number }): Html {
  const toWidth = (count: number): string => String(Math.round((count / most) * 1000) / 10)
  const { created, sent, failed } = counts
  return (
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="none" x="0" y="0" width={toWidth(created)} height="8" />
      {sent > 0 && <rect class="sent" x="0" y="0" width={toWidth(sent)} height="8" />}
      {failed > 0 && (
        <rect class="failed" x={toWidth(sent)} y="0" width={toWidth(failed)} height="8" />
      )}
    </svg>
  )
}

function describeCounts({ created, failed }: GroupCounts): string {
  const messages = created === 1 ? pluralize(1, 'message') : `${formatCount(created)} messages`
  return failed === 0 ? messages : `${messages}, ${formatCount(failed)} failed`
}
