import { type Child, type Html, h } from './html.js'
import { Icon, type IconName } from './icons.js'

export function Card(props: {
  /** Heading of the card; without one, `label` names it. */
  readonly title?: Child
  /** Identifier of the card's heading. @default its words */
  readonly id?: string
  readonly label?: string
  readonly aside?: Child
  readonly footer?: Child
  readonly isOnce?: boolean
  readonly children?: Child
}): Html {
  const { title, label, aside, footer, isOnce = false, children } = props
  const id = props.id ?? toId(typeof title === 'string' ? title : '')
  const naming = title === undefined ? { 'aria-label': label } : { 'aria-labelledby': id }
  return (
    <section class={isOnce ? 'card once' : 'card'} {...naming}>
      {title !== undefined && (
        <header>
          <h2 id={id}>{title}</h2>
          {aside}
        </header>
      )}
      {children}
      {footer !== undefined && <footer>{footer}</footer>}
    </section>
  )
}

export function CardBody({ children }: { readonly children?: Child }): Html {
  return <div class="body">{children}</div>
}

function toId(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

export function Empty(props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: Child
  readonly actions?: Child
}): Html {
  return (
    <div class="empty">
      <span class="badge">
        <Icon name={props.icon} />
      </span>
      <h2>{props.title}</h2>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.actions !== undefined && <div class="acts">{props.actions}</div>}
    </div>
  )
}
