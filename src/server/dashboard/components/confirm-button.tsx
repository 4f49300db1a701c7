import { ActionButton } from './form.js'
import { type Html, h } from './html.js'

/**
 * A dashboard button for an action that cannot be undone. It takes two clicks, even without
 * scripts.
 */
export function ConfirmButton(props: {
  readonly action: string
  readonly csrf: string
  readonly label: string
  /** What the button's action changes on the dashboard, for screen readers. */
  readonly target: string
  readonly fields?: Readonly<Record<string, string>>
}): Html {
  const { label, target, action, csrf, fields = {} } = props
  return (
    <details class="confirm">
      <summary class="btn danger">
        {label}
        <span class="unseen"> {target}</span>
      </summary>
      <ActionButton
        action={action}
        csrf={csrf}
        label={`${label} permanently`}
        title={`${label} permanently: ${target}`}
        variant="sure"
        fields={fields}
      />
    </details>
  )
}

export function ActionsHeader(): Html {
  return <span class="unseen">Actions</span>
}
