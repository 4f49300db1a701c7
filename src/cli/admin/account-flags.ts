import { string } from '@oclif/core/flags'
import type { DeliveryMode } from '../../domain/message/report.js'

const deliveryModes = ['at-least-once', 'at-most-once'] as const satisfies readonly DeliveryMode[]

/** What can be set of an account. */
export const accountFlags = {
  country: string({
    description: 'Country in which numbers without a + are read (ISO 3166), such as US.',
    helpValue: 'CODE',
  }),
  mode: string({
    description: 'What becomes of a message when its phone never reports: sent again, or locked.',
    options: deliveryModes,
  }),
}

/** What these flags set. */
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
