import { formatFailureReason } from '../../../domain/message/failure-reason.js'
import {
  getAvailableTime,
  getDueTime,
  isWaiting,
  type Message,
  maxAttempts,
} from '../../../domain/message/message.js'
import type { describeAbsence } from '../../../domain/phone/phone-status.js'
import { isUnsent, type MessageCopy } from '../../services/messages/message-copies.js'
import { ButtonLink } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import { statusLooks } from '../components/pill.js'
import { NextAttempt, Time } from '../components/time.js'
import { getMessagePath } from './message-path.js'

interface StateNoticeProps {
  readonly message: Message
  readonly copy: MessageCopy | undefined
  readonly canChange: boolean
  readonly now: number
  /** Absent if a phone is alive. */
  readonly absence: ReturnType<typeof describeAbsence>
}

/** Says first why a message is not sent. */
export function StateNotice(props: StateNoticeProps): Html | null {
  const { message, absence, now } = props
  const isDue = isWaiting(message) && getAvailableTime(message) <= now
  return (
    <>
      <StatusNotice {...props} />
      {isDue && absence !== undefined && (
        <Notice kind="warning" icon="phone" title={`Not sent yet: ${lowerFirst(absence.problem)}`}>
          {`${absence.step}.`}
        </Notice>
      )}
    </>
  )
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function StatusNotice({ message, copy, canChange, now }: StateNoticeProps): Html | null {
  const { status, failures, error = '', number } = message
  const reason = error === '' ? 'the phone gave no reason' : formatFailureReason(error)
  if (status === 'E')
    return (
      <Notice kind="warning" title={`Not sent yet: ${reason}`}>
        {`${failures} of ${maxAttempts} attempts failed. `}
        <NextAttempt at={getDueTime(message)} now={now} />
        {canChange &&
          ' If the number is wrong, edit the message. If it is no longer needed, cancel it.'}
      </Notice>
    )
  if (status === 'F') return <FailedNotice {...{ reason, copy, canChange }} />
  if (status === 'D' && copy !== undefined)
    return (
      <Notice kind="warning" title="Cancelled, and sent again">
        <SentAgain copy={copy} />
        {canChange && ' So it cannot be restored: the recipient would get the text twice.'}
      </Notice>
    )
  if (status === 'B')
    return (
      <Notice
        kind="warning"
        icon="ban"
        title={`Not sent: ${number} is on the Do Not Text list`}
        actions={
          <ButtonLink href={buildLink('/do-not-text', { q: number })} label="View the list" />
        }
      >
        Blocked messages stay blocked.
        {canChange && ' To text this number, remove it from the list and send again.'}
      </Notice>
    )
  return null
}

interface FailedNoticeProps extends Pick<StateNoticeProps, 'copy' | 'canChange'> {
  readonly reason: string
}

function FailedNotice({ reason, copy, canChange }: FailedNoticeProps): Html {
  const advice =
    copy === undefined
      ? ' Send it again if it is still needed; that creates a new message.'
      : ' Send it once more if it is still needed.'
  return (
    <Notice kind="failed" title={`Not sent: ${reason}`}>
      All attempts failed.
      {copy !== undefined && (
        <>
          {' '}
          <SentAgain copy={copy} />
        </>
      )}
      {canChange && (copy === undefined || isUnsent(copy.message)) && advice}
    </Notice>
  )
}

/** Says that a message was sent again, and when, with a link to the later one and its state. */
export function SentAgain({ copy: { id, message } }: { readonly copy: MessageCopy }): Html {
  if (message === undefined)
    return <>It was sent again as a message that was deleted permanently.</>
  return (
    <>
      It was sent again as <a href={getMessagePath(id)}>a later message</a>,{' '}
      <Time at={message.createdAt} />: {statusLooks[message.status][0].toLowerCase()}.
    </>
  )
}
