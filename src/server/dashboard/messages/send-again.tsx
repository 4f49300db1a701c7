import { isFinal, type Message } from '../../../domain/message/message.js'
import { isUnsent, type MessageCopy } from '../../services/messages/message-copies.js'
import type { MessageService } from '../../services/messages/message-service.js'
import { versionFieldName } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { statusLooks } from '../components/pill.js'
import { getField, type PageRequest } from '../page/page.js'
import { SentAgain } from './message-notice.js'
import { getMessagePath } from './message-path.js'

/** What a form sends again; it sends nothing if somebody else was faster. */
export interface Repeat {
  readonly id: string
  readonly wasUnsent: boolean
}

interface RepeatState {
  readonly message: Message
  readonly copy: MessageCopy | undefined
  /** Whether somebody created the copy, or restored the message, after the form was loaded. */
  readonly isLate: boolean
}

export interface LoadedRepeat {
  readonly repeat: Repeat
  readonly state: RepeatState
}

const unsentMark = 'unsent'

export async function loadRepeat(
  { account }: PageRequest,
  messages: MessageService,
  id: string,
  isLate = false,
): Promise<LoadedRepeat> {
  const message = await messages.getIncludingDeleted(account, id)
  const copy = (await messages.findCopies(account, [id])).get(id)
  const wasUnsent = isUnsent(copy === undefined ? message : copy.message)
  return { repeat: { id: copy?.id ?? id, wasUnsent }, state: { message, copy, isLate } }
}

export function RepeatField({ repeat }: { readonly repeat: Repeat | undefined }): Html {
  const { id = '', wasUnsent = false } = repeat ?? {}
  const value = wasUnsent ? `${id} ${unsentMark}` : id
  return <input type="hidden" name={versionFieldName} value={value} />
}

/** Reads the field of a form; undefined if it sends no message again. */
export function parseRepeat(request: PageRequest): Repeat | undefined {
  const [id = '', mark] = getField(request, versionFieldName).split(' ')
  return /^[\w-]{1,64}$/.test(id) ? { id, wasUnsent: mark === unsentMark } : undefined
}

export function isRepeated({ message, copy, isLate }: RepeatState): boolean {
  return copy === undefined ? isLate && !isUnsent(message) : !isUnsent(copy.message)
}

export function RepeatNotice({ state }: { readonly state: RepeatState }): Html | null {
  const { copy, isLate } = state
  if (copy === undefined) return <UncopiedNotice {...state} />
  const title = isLate
    ? 'Nothing was sent: somebody sent this message again in the meantime'
    : 'This message was sent again already'
  return (
    <Notice kind={isLate ? 'failed' : 'warning'} title={title}>
      <SentAgain copy={copy} /> {isRepeated(state) ? repeatText : retryText}
    </Notice>
  )
}

const repeatText = '“Send once more” creates another message: the recipient may get the text twice.'
const retryText = 'That message will not arrive, so you can send it once more.'

function UncopiedNotice({ message, isLate }: RepeatState): Html | null {
  if (!isLate && (isFinal(message) || isUnsent(message))) return null
  const title = isLate
    ? 'Nothing was sent: somebody restored this message in the meantime'
    : 'This message can still be sent itself'
  const state = statusLooks[message.status][0].toLowerCase()
  return (
    <Notice kind={isLate ? 'failed' : 'warning'} title={title}>
      <a href={getMessagePath(message.id)}>The message</a>
      {` is ${state}. `}
      {isLate ? repeatText : 'Unless you cancel it, the recipient may get the text twice.'}
    </Notice>
  )
}
