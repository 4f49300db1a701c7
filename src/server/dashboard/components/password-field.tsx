import { passwordFieldName } from '../page/confirm-password.js'
import { TextField } from './form-fields.js'
import { type Html, h } from './html.js'

/** The password of whoever is signed in, which confirms what a form does. */
export function PasswordField({ error }: { readonly error: string | undefined }): Html {
  return (
    <TextField
      label="Your password"
      name={passwordFieldName}
      type="password"
      autocomplete="current-password"
      required
      hint="The one you sign in with, to confirm this."
      error={error}
    />
  )
}
