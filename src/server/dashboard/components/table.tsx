import { type Child, type Html, h } from './html.js'

/** A table of the dashboard. On a narrow screen, it scrolls alone, with the keyboard too. */
export function Table(props: {
  readonly caption: string
  readonly head: readonly Child[]
  readonly rows: readonly (readonly Child[])[]
  readonly empty: Child
}): Html {
  if (props.rows.length === 0) return <p class="empty">{props.empty}</p>
  return (
    <section class="scroll" aria-label={props.caption} tabindex="0">
      <table>
        <caption class="hidden-text">{props.caption}</caption>
        <thead>
          <tr>
            {props.head.map(cell => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map(cells => (
            <tr>
              {cells.map(cell => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function DetailList({
  items,
}: {
  readonly items: readonly (readonly [string, Child])[]
}): Html {
  return (
    <dl>
      {items.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
