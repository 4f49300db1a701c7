import type { Status } from './message.js'

/** Filters of messages, and the states that each shows (docs/reference/interface.md 4.2). */
export const messageFilters = {
  normal: ['N', 'E'],
  all: ['N', 'S', 'E', 'F', 'D', 'L', 'B'],
  error: ['E'],
  sent: ['S'],
  new: ['N'],
  failed: ['F'],
  deleted: ['D'],
  locked: ['L'],
  blocked: ['B'],
} as const satisfies Record<string, readonly Status[]>

export type MessageFilter = keyof typeof messageFilters

export const messageFilterNames = Object.keys(messageFilters) as MessageFilter[]
