import type { RelayError } from '../../../errors.js'
import { Fragment, type Html, h } from '../components/html.js'

/** What a page says of an error: its sentence, and what to do. */
export function ErrorBody({ error }: { readonly error: RelayError }): Html {
  return (
    <>
      <p>{error.message}</p>
      {error.hint !== undefined && <p>{error.hint}</p>}
      <p>
        <a href="/">Go to the overview</a>
      </p>
    </>
  )
}
