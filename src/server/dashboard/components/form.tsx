import { csrfFieldName } from '../session/csrf.js'
import { type Child, type Html, h } from './html.js'

/** How a button looks. */
export type ButtonVariant = 'primary' | 'secondary' | 'danger'

/** A form that changes something; a page without a session has no `csrf`. */
export function Form(props: {
  readonly action: string
  readonly csrf: string | undefined
  readonly class?: string
  readonly label?: string
  /** Whether it has files. @default false */
  readonly files?: boolean
  readonly children?: Child
}): Html {
  return (
    <form
      method="post"
      action={props.action}
      class={props.class}
      aria-label={props.label}
      enctype={props.files === true ? 'multipart/form-data' : undefined}
    >
      {props.csrf !== undefined && <input type="hidden" name={csrfFieldName} value={props.csrf} />}
      {props.children}
    </form>
  )
}

/** A button. */
export function Button(props: {
  readonly label: string
  readonly look?: ButtonVariant | undefined
  /** Read out in place of the label, where that alone is not enough. */
  readonly title?: string | undefined
  readonly name?: string
  readonly value?: string
}): Html {
  return (
    <button
      type="submit"
      class={props.look ?? 'primary'}
      aria-label={props.title}
      name={props.name}
      value={props.value}
    >
      {props.label}
    </button>
  )
}

/** One button that is a form by itself. */
export function ActionButton(props: {
  readonly action: string
  readonly csrf: string
  readonly label: string
  readonly look?: ButtonVariant
  readonly title?: string
  /** Hidden fields sent with it. */
  readonly fields?: Readonly<Record<string, string>>
}): Html {
  return (
    <Form action={props.action} csrf={props.csrf} class="action">
      {Object.entries(props.fields ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button label={props.label} look={props.look} title={props.title} />
    </Form>
  )
}
