import { objectId } from '../../../contract/event-object.js'
import { oneLine } from '../../terminal/terminal-text.js'
import type { CausedEvent } from './trigger-events.js'

const widestEvent = 'message.received'.length
const widestNumber = 16

/** An event that was caused, on one line whose columns stand below those of the others. */
export function causedLine(caused: CausedEvent & { readonly time: string }): string {
  const time = `${caused.time.slice(11, 19)}Z`
  const event = caused.event.padEnd(widestEvent)
  return `${time}  ${event}  ${oneLine(caused.destination).padEnd(widestNumber)}  ${objectId(caused) ?? ''}`
}
