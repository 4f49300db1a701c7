import { hashText } from '../../../util/crypto/secrets.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { Time } from '../components/time.js'
import { conversationsPath, getConversationPath } from '../messages/message-path.js'
import { type ConversationEntry, maxCovered } from './load-conversations.js'

/** Characters of a search in the list of conversations. */
export const maxSearchLength = 100

/** The conversations of an account, next to the open one. */
export function ConversationList(props: {
  readonly entries: readonly ConversationEntry[]
  readonly open: string | undefined
  readonly words: string
}): Html {
  const { entries, open, words } = props
  const Heading = open === undefined ? 'h1' : 'h2'
  return (
    <section class="talks" aria-labelledby="talks">
      <div class="head">
        {h(Heading, { id: 'talks' }, 'Conversations')}
        <a class="small" href="/received">
          All received texts
        </a>
        <form class="search" action={conversationsPath} aria-label="Find a conversation">
          <input
            type="search"
            name="q"
            value={words}
            maxlength={maxSearchLength}
            placeholder="Number or text"
            aria-label={`Number or text, in the latest ${maxCovered} messages and received texts`}
          />
          <button type="submit" aria-label="Find">
            <Icon name="search" />
          </button>
        </form>
      </div>
      {entries.length === 0 && <p class="none">No conversation matches.</p>}
      <ul>
        {entries.map(entry => (
          <li id={`c-${hashText(entry.number).slice(0, 12)}`}>
            <ConversationLink entry={entry} isOpen={entry.number === open} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ConversationLink({ entry, isOpen }: { entry: ConversationEntry; isOpen: boolean }): Html {
  const { number, at, text, message, received } = entry
  const isBad = message?.status === 'F' || message?.status === 'E'
  const icon = message === undefined ? 'in' : isBad ? 'cross' : 'out'
  return (
    <a href={`${getConversationPath(number)}#latest`} aria-current={isOpen ? 'page' : undefined}>
      <strong class="clip">{number}</strong>
      <Time at={at} />
      <span class="last">
        <Icon name={icon} tone={isBad ? 'bad-text' : ''} />
        <span class="unseen">{received ? 'Received:' : isBad ? 'Not sent:' : 'Sent:'}</span>
        <span class="clip">{text}</span>
      </span>
    </a>
  )
}
