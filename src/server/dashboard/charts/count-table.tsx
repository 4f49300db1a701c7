import type { Counts } from '../../../domain/message/message-counts.js'
import { type Html, h } from '../components/html.js'

const columns: readonly (readonly [string, (counts: Counts) => number])[] = [
  ['Sent', ({ sent }) => sent],
  ['Failed', ({ failed }) => failed],
  ['Created', ({ created }) => created],
  ['Blocked', ({ blocked }) => blocked],
  ['Delivered', ({ delivered }) => delivered],
  ['Undelivered', ({ undelivered, expired }) => undelivered + expired],
]

/** The table of a chart of message counts: a row for each bar. */
export function CountTable(props: {
  readonly caption: string
  /** Heading of the first column. */
  readonly head: string
  readonly rows: readonly (readonly [name: string, counts: Counts])[]
}): Html {
  const { caption, head, rows } = props
  return (
    <section class="scroll" tabindex="0" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map(([name]) => (
              <th scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, counts]) => (
            <tr>
              <td class="tabular">{name}</td>
              {columns.map(([, get]) => (
                <td class="right tabular">{get(counts)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
