import { type Html, h } from './html.js'

export interface CopyTextProps {
  readonly label: string
  readonly id: string
  readonly value: string
}

/** A text on a dashboard page to be copied; with scripts, a button copies it. */
export function CopyText({ label, id, value }: CopyTextProps): Html {
  return (
    <div class="copy">
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

export function Secret(props: CopyTextProps): Html {
  return (
    <div class="secret">
      <CopyText {...props} />
    </div>
  )
}

/** Whether a page of the dashboard shows a {@link Secret}. Text cannot contain its markup. */
export function hasSecret(document: string): boolean {
  return document.includes('<div class="secret">')
}
