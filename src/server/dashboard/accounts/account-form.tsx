import { type Account, type DeliveryMode, deliveryModes } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { Select, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import type { FieldErrors } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'

export const accountsPath = '/accounts'

export function getAccountPath({ id }: Pick<Account, 'id'>): string {
  return `${accountsPath}/${encodeURIComponent(id)}`
}

export interface AccountFormInput {
  readonly country: string
  readonly mode: string
}

const modeLabels = {
  'at-least-once': 'Send it again (at least once)',
  'at-most-once': 'Lock it (at most once)',
} as const satisfies Record<DeliveryMode, string>

export function AccountFields(props: {
  readonly form: AccountFormInput
  readonly errors: FieldErrors | undefined
}): Html {
  const { form, errors } = props
  return (
    <>
      <TextField
        label="Country"
        name="country"
        value={form.country}
        required
        maxlength={2}
        error={errors?.country}
        hint="The country of numbers without a +: two letters (ISO 3166), such as US."
      />
      <Select
        label="If a phone takes a message and does not report the result"
        name="mode"
        value={form.mode}
        error={errors?.mode}
        options={deliveryModes.map(mode => [mode, modeLabels[mode]] as const)}
      />
    </>
  )
}

export function parseDeliveryMode(request: Pick<PageRequest, 'fields'>): DeliveryMode {
  const name = getField(request, 'mode')
  const mode = deliveryModes.find(each => each === name)
  if (mode !== undefined) return mode
  throw new RelayError('invalid_parameter', `\`mode\` must be ${deliveryModes.join(' or ')}.`)
}
