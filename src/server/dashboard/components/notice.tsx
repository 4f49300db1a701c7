import { type Child, type Html, h } from './html.js'

export function Notice(props: {
  readonly kind: 'done' | 'failed'
  readonly children?: Child
}): Html {
  return (
    <div class={`notice ${props.kind}`} role={props.kind === 'failed' ? 'alert' : 'status'}>
      {props.children}
    </div>
  )
}
