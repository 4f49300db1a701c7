import { type SecondFactorPrompt, secondFactorFieldNames } from '../session/second-factor-check.js'
import { TextField } from './form-fields.js'
import { Fragment, type Html, h } from './html.js'

export const passwordFieldName = 'password'

export interface ConfirmationErrors {
  readonly password?: string
  readonly code?: string
}

export function ConfirmationFields(props: {
  readonly secondFactor: SecondFactorPrompt | undefined
  readonly errors: ConfirmationErrors | undefined
}): Html {
  const { secondFactor, errors } = props
  return (
    <>
      <TextField
        label="Your password"
        name={passwordFieldName}
        type="password"
        autocomplete="current-password"
        required
        hint="The password that you sign in with, to confirm this."
        error={errors?.password}
      />
      {secondFactor && <SecondFactorFields prompt={secondFactor} error={errors?.code} />}
    </>
  )
}

interface SecondFactorFieldsProps {
  readonly prompt: SecondFactorPrompt
  readonly error: string | undefined
}

/**
 * Fields for a code, and with scripts a button for a passkey (`public/passkey.js`). The form has
 * one of the two.
 */
export function SecondFactorFields({ prompt, error }: SecondFactorFieldsProps): Html {
  const { hasApp, passkey } = prompt
  const code = (
    <TextField
      label={hasApp ? 'Code' : 'Recovery code'}
      name={secondFactorFieldNames.code}
      autocomplete="one-time-code"
      maxlength={40}
      required={passkey === undefined}
      hint={describeCode(prompt)}
      error={error}
    />
  )
  return (
    <>
      {hasApp && code}
      {passkey !== undefined && (
        <>
          <input type="hidden" name={secondFactorFieldNames.challenge} value={passkey.challenge} />
          <PasskeyButton label="Use a passkey" use="get" options={passkey.options} />
        </>
      )}
      {!hasApp && code}
    </>
  )
}

function describeCode({ hasApp, passkey }: SecondFactorPrompt): string {
  if (hasApp) return 'The 6 digits that your authenticator app shows now, or a recovery code.'
  if (passkey !== undefined) return 'Instead of a passkey: one of your recovery codes.'
  return 'Your passkeys do not work at this address. Type one of your recovery codes.'
}

/** A dashboard button that asks the browser for a passkey and sends its form; only with scripts. */
export function PasskeyButton(props: {
  readonly label: string
  readonly use: 'get' | 'create'
  readonly options: object
}): Html {
  const { label, use, options } = props
  return (
    <div class="field">
      <input type="hidden" name={secondFactorFieldNames.passkey} value="" />
      <button
        type="button"
        class={use === 'create' ? 'btn primary' : 'btn'}
        data-passkey={use}
        data-options={JSON.stringify(options)}
        hidden
      >
        {label}
      </button>
      <span class="error" role="alert" data-passkey-error hidden></span>
    </div>
  )
}
