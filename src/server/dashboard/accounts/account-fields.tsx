import { deliveryModes } from '../../../domain/message/report.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'

/** What can be set of an account, as typed. */
export interface AccountFormInput {
  readonly country: string
  readonly mode: string
}

const modeLabels = {
  'at-least-once': 'Send it again: at least once',
  'at-most-once': 'Lock it: at most once',
} as const satisfies Record<(typeof deliveryModes)[number], string>

/** Country and delivery mode of an account. */
export function AccountFields({ form }: { readonly form: AccountFormInput }): Html {
  return (
    <>
      <TextField
        label="Country"
        name="country"
        value={form.country}
        required
        maxlength={2}
        hint="Where numbers without a + are read: two letters (ISO 3166), such as US."
      />
      <Select
        label="When a phone takes a message and never reports"
        name="mode"
        value={form.mode}
        options={deliveryModes.map(mode => [mode, modeLabels[mode]] as const)}
      />
    </>
  )
}
