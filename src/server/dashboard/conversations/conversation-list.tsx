import { hashText } from '../../../util/crypto/secrets.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { Time } from '../components/time.js'
import { conversationsPath, getConversationPath } from '../messages/message-path.js'
import {
  type ConversationEntry,
  type ConversationOverview,
  maxCovered,
} from './load-conversations.js'

export const maxSearchLength = 100

const covered = `the latest ${maxCovered} messages and received texts`

export function ConversationList(props: {
  readonly list: ConversationOverview
  readonly open: string | undefined
  readonly words: string
}): Html {
  const { list, open, words } = props
  const { entries, names } = list
  const Heading = open === undefined ? 'h1' : 'h2'
  return (
    <section class="talks" aria-labelledby="talks">
      <div class="head">
        {h(Heading, { id: 'talks' }, 'Conversations')}
        <a class="small" href="/received">
          All received texts
        </a>
        <SearchForm words={words} />
        {words !== '' && <p class="quiet small">{`The search covers ${covered}.`}</p>}
      </div>
      {entries.length === 0 && (
        <p class="none">{words === '' ? 'No conversations yet.' : 'No conversation matches.'}</p>
      )}
      <ul>
        {entries.map(entry => (
          <li id={`c-${hashText(entry.number).slice(0, 12)}`}>
            <ConversationLink
              entry={entry}
              name={names.get(entry.number)}
              isOpen={entry.number === open}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SearchForm({ words }: { readonly words: string }): Html {
  return (
    <form class="search" action={conversationsPath} aria-label="Find a conversation">
      <input
        type="search"
        name="q"
        value={words}
        maxlength={maxSearchLength}
        placeholder="Name, number or text"
        aria-label={`Name, number or text, in ${covered}`}
      />
      <button type="submit" aria-label="Find">
        <Icon name="search" />
      </button>
    </form>
  )
}

function ConversationLink(props: {
  readonly entry: ConversationEntry
  readonly name: string | undefined
  readonly isOpen: boolean
}): Html {
  const { entry, name, isOpen } = props
  const { number, at, text, message, received } = entry
  const isBad = message?.status === 'F' || message?.status === 'E'
  const icon = message === undefined ? 'in' : isBad ? 'cross' : 'out'
  return (
    <a href={`${getConversationPath(number)}#latest`} aria-current={isOpen ? 'page' : undefined}>
      <strong class="clip" dir="auto">
        {name ?? number}
      </strong>
      <Time at={at} />
      <span class="last">
        <Icon name={icon} tone={isBad ? 'bad-text' : ''} />
        <span class="unseen">{received ? 'Received:' : isBad ? 'Not sent:' : 'Sent:'}</span>
        <span class="clip" dir="auto">
          {text}
        </span>
      </span>
    </a>
  )
}
