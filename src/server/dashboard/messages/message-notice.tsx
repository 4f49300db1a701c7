import { formatFailureReason } from '../../../domain/message/failure-reason.js'
import { getDueTime, maxAttempts } from '../../../domain/message/message.js'
import { ButtonLink } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import { statusLooks } from '../components/pill.js'
import { Time } from '../components/time.js'
import type { ShownMessage } from './message-details.js'
import { getMessagePath } from './message-path.js'

interface StateNoticeProps extends Pick<ShownMessage, 'message' | 'copy'> {
  /** Whether the person can do what the notice advises. */
  readonly canChange: boolean
}

/** Says first why a message is not sent. */
export function StateNotice({ message, copy, canChange }: StateNoticeProps): Html | null {
  const { status, failures, error = '', number } = message
  const reason = error === '' ? 'the phone gave no reason' : formatFailureReason(error)
  if (status === 'E')
    return (
      <Notice kind="warning" title={`Not sent yet: ${reason}`}>
        {`${failures} of ${maxAttempts} attempts failed. The next attempt is `}
        <Time at={getDueTime(message)} />.
        {canChange &&
          ' If the number is wrong, edit the message. If it is no longer needed, cancel it.'}
      </Notice>
    )
  if (status === 'F') return <FailedNotice {...{ reason, copy, canChange }} />
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
  if (copy === undefined)
    return (
      <Notice kind="failed" title={`Not sent: ${reason}`}>
        All attempts failed.
        {canChange && ' Send it again if it is still needed; that creates a new message.'}
      </Notice>
    )
  return (
    <Notice kind="failed" title={`Not sent: ${reason}`}>
      All attempts failed. It was sent again as{' '}
      <a href={getMessagePath(copy.id)}>a message with the same number and text</a>,{' '}
      <Time at={copy.createdAt} />: {statusLooks[copy.status][0].toLowerCase()}.
    </Notice>
  )
}
