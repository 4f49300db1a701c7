import { type Child, type Html, h } from './html.js'

/** A highlighted message of success or failure, which screen readers announce. */
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
