import { type Child, type Html, h } from './html.js'

export interface TableProps {
  readonly caption: string
  readonly head: readonly Child[]
  /** Whether the titles of the cards begin with the first heading. @default false */
  readonly isTitleNamed?: boolean
  readonly rows: readonly (readonly Child[])[]
  readonly empty: Child
}

/**
 * A table of the dashboard; on a narrow screen, each row becomes a card whose first cell is its
 * title. The roles keep it a table for screen readers there.
 */
export function Table({ caption, head, rows, empty, isTitleNamed = false }: TableProps): Html {
  if (rows.length === 0) return <div class="none">{empty}</div>
  return (
    <table class="stack" role="table">
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {head.map(cell => (
            <th role="columnheader" scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(cells => (
          <tr role="row">
            {cells.map((cell, at) => (
              <Cell label={head[at]} isFirst={at === 0} isNamed={isTitleNamed}>
                {cell}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell(props: {
  readonly label: Child
  readonly isFirst: boolean
  readonly isNamed: boolean
  readonly children?: Child
}): Html {
  const { label, isFirst, isNamed, children } = props
  if (isFirst || typeof label !== 'string')
    return (
      <td
        role="cell"
        class={isFirst ? 'name' : 'acts-cell'}
        data-name={isFirst && isNamed && typeof label === 'string' ? label : undefined}
      >
        {children}
      </td>
    )
  return (
    <td role="cell" data-label={label}>
      <span class="value">{children}</span>
    </td>
  )
}

export function Facts({ items }: { readonly items: readonly (readonly [Child, Child])[] }): Html {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
