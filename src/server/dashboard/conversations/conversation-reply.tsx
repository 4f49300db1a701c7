import { Button, ButtonLink, Form } from '../components/form.js'
import { Beside } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import { Notice } from '../components/notice.js'
import { buildLink } from '../components/pagination.js'
import {
  type MessageFormErrors,
  type MessageFormInput,
  TextLength,
} from '../messages/message-form.js'
import { getConversationPath } from '../messages/message-path.js'
import type { PageRequest } from '../page/page.js'

export interface Reply {
  readonly form: Omit<MessageFormInput, 'destination'>
  readonly errors?: MessageFormErrors
}

/** The form under a conversation before any input: the reply is sent at once. */
export function createEmptyReply({ account }: Pick<PageRequest, 'account'>): Reply['form'] {
  return { message: '', sendOn: '', zone: account.timeZone ?? '' }
}

/** In place of the form under a conversation. */
export function OptedOutNotice({ number }: { readonly number: string }): Html {
  return (
    <div class="reply">
      <Notice
        kind="warning"
        icon="ban"
        title={`${number} is on the Do Not Text list`}
        actions={
          <ButtonLink href={buildLink('/do-not-text', { q: number })} label="Do Not Text list" />
        }
      >
        To reply, first remove the number from the list.
      </Notice>
    </div>
  )
}

export function ReplyForm(props: {
  readonly number: string
  readonly csrf: string
  readonly reply: Reply
}): Html {
  const { number, csrf, reply } = props
  const { message } = reply.form
  const error = reply.errors?.message ?? reply.errors?.destination
  return (
    <Form action={getConversationPath(number)} csrf={csrf} class="reply" label="Reply">
      <label class="unseen" for="message">{`Your reply to ${number}`}</label>
      <textarea
        id="message"
        name="message"
        rows="2"
        required
        data-length="length"
        aria-describedby={error === undefined ? 'length' : 'message-error'}
        aria-invalid={error === undefined ? undefined : 'true'}
      >
        {message}
      </textarea>
      {error !== undefined && (
        <span class="error" id="message-error">
          <Icon name="warn" />
          {error}
        </span>
      )}
      <SendLater reply={reply} />
      <div class="under">
        <TextLength text={message} />
        <Button label="Send" icon="send" />
      </div>
    </Form>
  )
}

function SendLater({ reply }: { readonly reply: Reply }): Html {
  const { sendOn, zone } = reply.form
  return (
    <details class="disclosure" id="later" open={sendOn !== ''}>
      <summary>Send later</summary>
      <Beside>
        <LocalTimeFields
          label="Send on"
          name="send_on"
          value={sendOn}
          hint="Leave it empty to send at once."
          error={reply.errors?.sendOn}
          zone={zone}
          detectZone={zone === ''}
        />
      </Beside>
    </details>
  )
}
