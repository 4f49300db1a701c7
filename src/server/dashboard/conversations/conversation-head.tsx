import { Form } from '../components/form.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { buildLink } from '../components/pagination.js'
import { contactsPath, getContactPath } from '../contacts/contact-paths.js'
import { conversationsPath } from '../messages/message-path.js'
import type { ConversationEntry } from './load-conversations.js'

interface ThreadHeadProps {
  readonly number: string
  readonly name: string | undefined
  readonly entries: readonly ConversationEntry[]
  readonly csrf: string
  readonly isListed: boolean
  readonly canAdd: boolean
}

export function ThreadHead(props: ThreadHeadProps): Html {
  const { number, name, entries, csrf, isListed, canAdd } = props
  const hasLink = name !== undefined || canAdd
  const received = entries.filter(entry => entry.received !== undefined).length
  return (
    <div class="head">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={conversationsPath}>
          <Icon name="back" />
          <span class="word">Conversations</span>
        </a>
      </nav>
      <div class="title">
        <h1 id="with" dir="auto">
          {name ?? number}
        </h1>
        <span class="quiet small">
          {name !== undefined && `${number} · `}
          {`${entries.length - received} sent, ${received} received`}
        </span>
      </div>
      <div class="acts">
        {hasLink && <ContactLink number={number} isContact={name !== undefined} />}
        <a class="btn" href={buildLink('/messages', { q: number })}>
          <Icon name="table" />
          <span class="word">Show as a list</span>
        </a>
        {!isListed && (
          <Form action="/do-not-text" csrf={csrf} class="action">
            <input type="hidden" name="number" value={number} />
            <button type="submit" class="btn danger" title="Add it to the Do Not Text list">
              <Icon name="ban" />
              <span class="word">Do Not Text</span>
            </button>
          </Form>
        )}
      </div>
    </div>
  )
}

function ContactLink(props: { readonly number: string; isContact: boolean }): Html {
  const { number, isContact } = props
  return (
    <a
      class="btn"
      href={isContact ? getContactPath(number) : buildLink(contactsPath, { number })}
      title={isContact ? 'Show the contact' : 'Add it to the contacts'}
    >
      <Icon name="people" />
      <span class="word">{isContact ? 'Contact' : 'Add to contacts'}</span>
    </a>
  )
}
