import { type DeliveryMode, deliveryModes } from '../../../domain/message/report.js'
import { RelayError } from '../../../errors.js'
import { getField, type PageRequest } from '../page/page.js'

/** The delivery mode a form names. Throws `invalid_parameter`. */
export function parseDeliveryMode(request: Pick<PageRequest, 'fields'>): DeliveryMode {
  const given = getField(request, 'mode')
  const mode = deliveryModes.find(each => each === given)
  if (mode !== undefined) return mode
  throw new RelayError('invalid_parameter', `\`mode\` must be ${deliveryModes.join(' or ')}.`)
}

/** An error of a service as a form tells it: names of parameters without their quotes, as a sentence. */
export function formatFormError(error: RelayError): string {
  const text = error.message.replaceAll('`', '')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
