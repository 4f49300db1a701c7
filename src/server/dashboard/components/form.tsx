import { createSecret } from '../../../util/crypto/secrets.js'
import { csrfFieldName } from '../session/csrf.js'
import { type Child, type Html, h } from './html.js'

/** The field of a dashboard form whose value makes it different from every other form. */
export const formKeyName = 'key'

export type ButtonVariant = 'primary' | 'secondary' | 'danger'

/**
 * A dashboard form, which has its effect once (`page/form-guard.ts`); `csrf` is undefined only
 * without a session.
 */
export function Form(props: {
  readonly action: string
  readonly csrf: string | undefined
  readonly class?: string
  readonly label?: string
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
      {props.csrf !== undefined && (
        <input type="hidden" name={formKeyName} value={createSecret()} />
      )}
      {props.children}
    </form>
  )
}

export function Button(props: {
  readonly label: string
  readonly variant?: ButtonVariant | undefined
  /** Title of the form's button for screen readers, in place of the label. */
  readonly title?: string | undefined
  readonly name?: string
  readonly value?: string
}): Html {
  return (
    <button
      type="submit"
      class={props.variant ?? 'primary'}
      aria-label={props.title}
      name={props.name}
      value={props.value}
    >
      {props.label}
    </button>
  )
}

export function ActionButton(props: {
  readonly action: string
  readonly csrf: string
  readonly label: string
  readonly variant?: ButtonVariant
  readonly title?: string
  readonly fields?: Readonly<Record<string, string>>
}): Html {
  return (
    <Form action={props.action} csrf={props.csrf} class="action">
      {Object.entries(props.fields ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button label={props.label} variant={props.variant} title={props.title} />
    </Form>
  )
}
