import { type Html, h } from './html.js'

export interface SecretProps {
  readonly label: string
  readonly id: string
  readonly value: string
}

/** Shows a secret on a dashboard page; with scripts, also a button that copies it. */
export function Secret({ label, id, value }: SecretProps): Html {
  return (
    <div class="secret">
      <strong id={`${id}-label`}>{label}</strong>
      <pre id={id} class="secret">
        {value}
      </pre>
      <button
        type="button"
        class="secondary"
        data-copy={id}
        aria-describedby={`${id}-label`}
        hidden
      >
        Copy
      </button>
    </div>
  )
}
