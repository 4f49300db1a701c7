import { type BulkAction, bulkActions } from '../../../domain/message/bulk-action.js'
import type { Status } from '../../../domain/message/message.js'
import { pluralize } from '../../../util/text/plural.js'
import { statusLooks } from '../components/pill.js'

interface BulkTexts {
  readonly name: (messages: string) => string
  readonly done: string
  readonly consequence: string
}

export const bulkTexts = {
  retry: {
    name: messages => `Retry ${messages} now`,
    done: 'due now',
    consequence: 'The next attempt is made at once, without the delay after the last one.',
  },
  again: {
    name: messages => `Send ${messages} again`,
    done: 'sent again',
    consequence: 'A new message with the same text is created for each; the failed ones remain.',
  },
  cancel: {
    name: messages => `Cancel ${messages}`,
    done: 'cancelled',
    consequence: 'They are not sent. You can restore them.',
  },
  lock: {
    name: messages => `Lock ${messages}`,
    done: 'locked',
    consequence: 'They are not sent until you unlock them.',
  },
  unlock: {
    name: messages => `Unlock ${messages}`,
    done: 'unlocked',
    consequence: 'They are sent when they are due.',
  },
  delete: {
    name: messages => `Delete ${messages}`,
    done: 'deleted',
    consequence: 'The messages and their history are deleted. This cannot be undone.',
  },
  undelete: {
    name: messages => `Restore ${messages}`,
    done: 'restored',
    consequence: 'They return to the state that they had before.',
  },
} as const satisfies Record<BulkAction, BulkTexts>

export const undoActions: Readonly<Partial<Record<BulkAction, BulkAction>>> = {
  lock: 'unlock',
  unlock: 'lock',
  cancel: 'undelete',
  undelete: 'cancel',
}

export function isBulkAction(name: string): name is BulkAction {
  return Object.hasOwn(bulkActions, name)
}

/** Says how many messages stay as they are, by their state: `2 sent and 1 failed`. */
export function formatSkipped(skipped: ReadonlyMap<Status, number>): string {
  const parts = [...skipped].map(([status, count]) => `${count} ${toWord(status)}`)
  return joinWords(parts, 'and')
}

/** Says which states allow an action: `The action is for locked messages only.` */
export function formatAllowed(action: BulkAction): string {
  const words = bulkActions[action].map(toWord)
  return `The action is for ${joinWords(words, 'or')} messages only.`
}

export function formatCount(count: number): string {
  return pluralize(count, 'message')
}

function toWord(status: Status): string {
  return statusLooks[status][0].toLowerCase()
}

function joinWords(words: readonly string[], last: string): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
