import { type Child, type Html, h } from './html.js'
import { Icon, type IconName } from './icons.js'

export type NoticeKind = 'done' | 'failed' | 'warning'

const looks = {
  done: ['good', 'check'],
  failed: ['bad', 'warn'],
  warning: ['warn', 'warn'],
} as const satisfies Record<NoticeKind, readonly [string, IconName]>

/** HTML section 6.6.7; the JSX types know the attribute only for fields. */
export const focus = { tabindex: '-1', autofocus: true }

export function Notice(props: {
  readonly kind: NoticeKind
  readonly title?: Child
  readonly id?: string
  readonly icon?: IconName
  readonly actions?: Child
  /** Whether a screen reader begins with the notice, because a form failed. @default false */
  readonly hasFocus?: boolean
  readonly children?: Child
}): Html {
  const { kind, title, id, actions, children } = props
  const [tone, icon] = looks[kind]
  return (
    <div
      class={`notice ${tone}`}
      id={id}
      role={kind === 'failed' ? 'alert' : 'status'}
      {...(props.hasFocus ? focus : {})}
    >
      <Icon name={props.icon ?? icon} />
      <div>
        {title !== undefined && <h2>{title}</h2>}
        {children !== undefined && <p>{children}</p>}
      </div>
      {actions !== undefined && <div class="acts">{actions}</div>}
    </div>
  )
}

export function FormError({ text }: { readonly text: string | undefined }): Html | null {
  if (text === undefined) return null
  return (
    <Notice kind="failed" hasFocus>
      {text}
    </Notice>
  )
}
