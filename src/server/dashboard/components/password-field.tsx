import { TextField } from './form-fields.js'
import { type Html, h } from './html.js'

export const passwordFieldName = 'password'

export function PasswordField({ error }: { readonly error: string | undefined }): Html {
  return (
    <TextField
      label="Your password"
      name={passwordFieldName}
      type="password"
      autocomplete="current-password"
      required
      hint="The password that you sign in with, to confirm this."
      error={error}
    />
  )
}
