import type { PhoneEvent } from './phone-events.js'

/**
 * Makes one phone of several loops for those who look on: they are ready with the first of them, idle when all are,
 * offline or in trouble from the first to the last, quiet once, and stopping once, save that each message in hand is told.
 */
export function mergeEvents(
  loops: number,
  onEvent: (event: PhoneEvent) => void,
): (worker: number, event: PhoneEvent) => void {
  const told = new Set<PhoneEvent['event']>()
  const idle = new Set<number>()
  const offline = new Set<number>()
  const trouble = new Set<number>()
  let quietUntil: string | undefined
  const isFirst = (name: PhoneEvent['event']): boolean => told.size < told.add(name).size
  const isNews = (worker: number, event: PhoneEvent): boolean => {
    switch (event.event) {
      case 'ready':
        return isFirst('ready')
      case 'stopping':
        return isFirst('stopping') || event.id !== undefined
      case 'took':
        idle.delete(worker)
        return true
      case 'idle':
        return idle.add(worker).size === loops
      case 'offline':
        return offline.add(worker).size === 1
      case 'online':
        return offline.delete(worker) && offline.size === 0
      case 'trouble':
        return trouble.add(worker).size === 1
      case 'recovered':
        return trouble.delete(worker) && trouble.size === 0
      case 'quiet': {
        const isNew = event.until !== quietUntil
        quietUntil = event.until
        return isNew
      }
      default:
        return true
    }
  }
  return (worker, event) => {
    if (isNews(worker, event)) onEvent(event)
  }
}
