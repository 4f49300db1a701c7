import { createSecret } from '../../../util/crypto/secrets.js'
import { csrfFieldName } from '../session/csrf.js'
import { type Child, type Html, h } from './html.js'
import { Icon, type IconName } from './icons.js'
import { FormError } from './notice.js'

export const formKeyName = 'key'

export const versionFieldName = 'version'

/** Hidden field of the dashboard's bulk form that is the same before and after it is checked. */
export const batchFieldName = 'batch'

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'sure' | 'bare'

const variantClasses = {
  primary: 'btn primary',
  secondary: 'btn',
  danger: 'btn danger',
  sure: 'btn danger sure',
  bare: 'btn bare',
} as const satisfies Record<ButtonVariant, string>

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
  readonly errors?: Readonly<Record<string, string>> | undefined
  readonly children?: Child
}): Html {
  const error = props.errors?.['']
  return (
    <form
      method="post"
      action={props.action}
      class={props.class ?? 'body form'}
      aria-label={props.label}
      enctype={props.files === true ? 'multipart/form-data' : undefined}
    >
      {props.csrf !== undefined && <input type="hidden" name={csrfFieldName} value={props.csrf} />}
      <input type="hidden" name={formKeyName} value={createSecret()} />
      <FormError text={error} />
      {props.children}
    </form>
  )
}

interface ButtonProps {
  readonly label: string
  readonly variant?: ButtonVariant | undefined
  readonly icon?: IconName | undefined
  /** Title of the form's button for screen readers, in place of the label. */
  readonly title?: string | undefined
}

export function Button(props: ButtonProps & { readonly name?: string; value?: string }): Html {
  return (
    <button
      type="submit"
      class={variantClasses[props.variant ?? 'primary']}
      aria-label={props.title}
      name={props.name}
      value={props.value}
    >
      {props.icon !== undefined && <Icon name={props.icon} />}
      {props.label}
    </button>
  )
}

export function ButtonLink(props: ButtonProps & { readonly href: string }): Html {
  return (
    <a
      class={variantClasses[props.variant ?? 'secondary']}
      href={props.href}
      aria-label={props.title}
    >
      {props.icon !== undefined && <Icon name={props.icon} />}
      {props.label}
    </a>
  )
}

/** A link to a form below a list; styles hide it where a role hides the form. */
export function FormLink({ id, label }: { readonly id: string; readonly label: string }): Html {
  return (
    <a class="btn primary to-form" href={`#${id}`}>
      <Icon name="plus" />
      {label}
    </a>
  )
}

export function Actions({ children }: { readonly children?: Child }): Html {
  return <div class="acts">{children}</div>
}

export function ActionButton(
  props: ButtonProps & {
    readonly action: string
    readonly csrf: string
    readonly fields?: Readonly<Record<string, string>>
  },
): Html {
  const { action, csrf, fields = {}, ...button } = props
  return (
    <Form action={action} csrf={csrf} class="action">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button {...button} />
    </Form>
  )
}
