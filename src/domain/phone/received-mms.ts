export const receivedKinds = ['text', 'mms'] as const
/** What a list has: texts and MMS that can be read, or all. */
export const receivedSelections = ['text', 'all'] as const

export type ReceivedSelection = (typeof receivedSelections)[number]

export interface ReceivedMms {
  readonly kind?: 'mms'
  readonly subject?: string
  /** Octets of the MMS. */
  readonly size?: number
  /** Addresses of the pictures. */
  readonly media?: readonly string[]
}

/** Whether a received text only says that an MMS waits at the operator. */
export function isNotification({ kind, text, media }: ReceivedMms & { text: string }): boolean {
  return kind === 'mms' && text === '' && media === undefined
}

/** The words of a received text, or what is known of an MMS that waits at the operator. */
export function describeReceived(received: ReceivedMms & { text: string }): string {
  const { text, subject, size } = received
  if (!isNotification(received)) return text
  const length = size === undefined ? '' : ` of ${Math.ceil(size / 1000)} kB`
  return `An MMS${length} waits at the operator${subject === undefined ? '.' : `: ${subject}`}`
}
