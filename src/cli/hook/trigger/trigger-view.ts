import { getObjectId } from '../../../contract/event-schema.js'
import { toOneLine } from '../../terminal/terminal-text.js'
import type { CausedEvent } from './trigger-events.js'

const eventWidth = 'message.received'.length
const numberWidth = 16

/** An event that was caused, on one line whose columns stand below those of the others. */
export function formatCausedEvent(caused: CausedEvent & { readonly time: string }): string {
  const time = `${caused.time.slice(11, 19)}Z`
  const event = caused.event.padEnd(eventWidth)
  return `${time}  ${event}  ${toOneLine(caused.destination).padEnd(numberWidth)}  ${getObjectId(caused) ?? ''}`
}
