import { hasWaitingElement } from './part-header.js'

interface SmsFacts {
  /** TP-PID. */
  readonly protocolId: number
  /** TP-DCS. */
  readonly dataCoding: number
  /** The elements of the user data header. */
  readonly elements: Uint8Array
  readonly text: string
  /** Whether the network says in another way that messages wait. @default false */
  readonly isWaiting?: boolean
}

/** Values of TP-PID of an SMS that no person reads (3GPP TS 23.040 section 9.2.3.9). */
const protocols: Readonly<Record<number, string>> = {
  64: 'a silent SMS (type 0)',
  72: 'a trigger for a device',
  124: 'data for the phone (ANSI-136)',
  125: 'data for the phone',
  126: 'a command for the phone',
  127: 'data for the SIM',
}

/** What an SMS is that is for the phone or the SIM; undefined for a text of a person. */
export function findServiceUse({
  protocolId,
  dataCoding,
  elements,
  text,
  isWaiting = false,
}: SmsFacts): string | undefined {
  const use = protocols[protocolId]
  if (use !== undefined || text.trim() !== '') return use
  // Message waiting indication groups (3GPP TS 23.038 section 4).
  const hasWaiting =
    isWaiting || (dataCoding >= 0xc0 && dataCoding < 0xf0) || hasWaitingElement(elements)
  return hasWaiting ? 'a message waiting indication without words' : undefined
}

/**
 * The words in the octets of an SMS without an alphabet, each octet a character of `text`;
 * undefined if they are data.
 */
export function findWords(text: string): string | undefined {
  if (text === '' || /[^\t\n\r\x20-\x7e\x80-\xff]/.test(text)) return undefined
  try {
    const octets = Uint8Array.from(text, each => each.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return /[\x80-\x9f]/.test(text) ? undefined : text
  }
}
