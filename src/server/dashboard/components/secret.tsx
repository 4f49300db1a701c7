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
      <p class="label" id={`${id}-label`}>
        {label}
      </p>
      <pre id={id} class="said">
        {value}
      </pre>
      <button type="button" class="btn" data-copy={id} aria-describedby={`${id}-label`} hidden>
        Copy
      </button>
    </div>
  )
}

/** Whether a page of the dashboard shows a {@link Secret}. Text cannot contain its markup. */
export function hasSecret(document: string): boolean {
  return document.includes('<div class="secret">')
}
