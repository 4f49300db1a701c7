import type { Counts } from '../../../domain/message/message-counts.js'
import { type Html, h } from '../components/html.js'

type CountColumns<T> = readonly (readonly [heading: string, read: (row: T) => number])[]

export const messageCountColumns: CountColumns<Counts> = [
  ['Sent', ({ sent }) => sent],
  ['Failed', ({ failed }) => failed],
  ['Created', ({ created }) => created],
  ['Blocked', ({ blocked }) => blocked],
  ['Delivered', ({ delivered }) => delivered],
  ['Undelivered', ({ undelivered, expired }) => undelivered + expired],
]

export function CountTable<T>(props: {
  readonly caption: string
  readonly head: string
  readonly columns: CountColumns<T>
  readonly rows: readonly (readonly [name: string, counts: T])[]
}): Html {
  const { caption, head, columns, rows } = props
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
              {columns.map(([, read]) => (
                <td class="right tabular">{read(counts)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
