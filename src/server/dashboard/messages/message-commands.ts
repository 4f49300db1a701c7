import type { Message } from '../../../domain/message/message.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { quoteShellWord } from '../../../util/text/shell-words.js'

/** Shell commands of a message's page; both take a token from `SMSRELAY_TOKEN`. */
interface MessageCommands {
  readonly curl: string
  readonly cli: string
}

/**
 * Formats commands for POSIX shells that create a message like this one. Somebody pastes them into
 * a terminal, and others can choose the text: so characters that control a terminal are escaped.
 * @param base base URL of the relay
 * @param now the time of the page; an earlier time to send means at once
 */
export function formatMessageCommands(
  message: Message,
  base: string,
  now: number,
): MessageCommands {
  const { destination, number, text, sendAt } = message
  const draft = {
    destination: /^[ -~]+$/.test(destination) ? destination : number,
    message: text,
    ...(sendAt > now ? { send_on: formatDateTime(sendAt) } : {}),
  }
  return { curl: formatCurl(base, draft), cli: formatCli(base, draft) }
}

interface Draft {
  readonly destination: string
  readonly message: string
  readonly send_on?: string
}

/** Characters that control a terminal or the direction of the text, apart from line feeds. */
const unseen = /[^\P{Cc}\n]|\p{Bidi_Control}/gu

function formatCurl(base: string, draft: Draft): string {
  const body = JSON.stringify({ message: draft }).replace(
    unseen,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [
    `curl ${quoteShellWord(`${base}/api/1/message`)}`,
    '-H "Authorization: Bearer $SMSRELAY_TOKEN"',
    "-H 'Content-Type: application/json'",
    `-d ${quoteShellWord(body)}`,
  ].join(' \\\n  ')
}

/** A text that cannot be an argument is piped: the command reads `-` as a pipe. */
function formatCli(base: string, { destination, message, send_on }: Draft): string {
  const at = send_on === undefined ? '' : ` --at ${quoteShellWord(send_on)}`
  const send = `smsrelay message send --url ${quoteShellWord(base)}${at}`
  const to = `${send} -- ${quoteShellWord(destination)}`
  if (message !== '-' && message.search(unseen) === -1) return `${to} ${quoteShellWord(message)}`
  return `printf -- ${quoteShellWord(formatPrintf(message))} | \\\n  ${to}`
}

function formatPrintf(text: string): string {
  // The reader of the pipe removes one byte order mark and one line end.
  const first = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const last = text.endsWith('\n') ? '\n' : ''
  return `${first}${text}${last}`
    .replace(/[\\%]/g, '$&$&')
    .replace(unseen, each => [...new TextEncoder().encode(each)].map(toOctal).join(''))
}

function toOctal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`
}
