import { ActionButton } from './form.js'
import { type Html, h } from './html.js'

/** A button for what cannot be undone, behind a word that opens it: two clicks, also without scripts. */
export function ConfirmButton(props: {
  readonly action: string
  readonly csrf: string
  /** The word, such as `Delete`. */
  readonly label: string
  /** What it is done to, for screen readers. */
  readonly what: string
  /** Hidden fields sent with it. */
  readonly fields?: Readonly<Record<string, string>>
}): Html {
  const { label, what, action, csrf, fields = {} } = props
  return (
    <details class="sure">
      <summary>
        {label}
        <span class="hidden-text"> {what}</span>
      </summary>
      <ActionButton
        action={action}
        csrf={csrf}
        label={`${label} for good`}
        title={`${label} for good: ${what}`}
        look="danger"
        fields={fields}
      />
    </details>
  )
}

/** The head of a column of buttons. */
export function ActionsHeader(): Html {
  return <span class="hidden-text">Actions</span>
}
