import { string } from '@oclif/core/flags'
import { type DeliveryMode, deliveryModes } from '../../domain/account/account.js'

export const accountFlags = {
  country: string({
    description: 'Country of numbers without a + (ISO 3166), such as US.',
    env: 'SMSRELAY_ACCOUNT_COUNTRY',
    helpValue: 'CODE',
  }),
  mode: string({
    description: 'Delivery mode: resend or lock a message without a report.',
    env: 'SMSRELAY_MODE',
    options: deliveryModes,
  }),
}

export function toAccountSettings(flags: {
  readonly country?: string | undefined
  readonly mode?: string | undefined
}): { country?: string; mode?: DeliveryMode } {
  const mode = deliveryModes.find(each => each === flags.mode)
  return {
    ...(flags.country === undefined ? {} : { country: flags.country }),
    ...(mode === undefined ? {} : { mode }),
  }
}
