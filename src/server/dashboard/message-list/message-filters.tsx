import { Button } from '../components/form.js'
import { SearchField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'

/** Characters of a search in the list of messages. */
export const maxSearchLength = 200

const day = 24 * 60 * 60 * 1000

/** Filters by the age of messages: the name in the address, the label, and milliseconds. */
export const ages = [
  ['day', 'Last 24 hours', day],
  ['week', 'Last 7 days', 7 * day],
  ['month', 'Last 30 days', 30 * day],
] as const

const ageOptions = [
  ['', 'Any date'] as const,
  ...ages.map(([name, label]) => [name, label] as const),
]

interface MessageFiltersProps {
  readonly filter: string
  readonly order: 'asc' | 'desc'
  readonly words: string
  readonly age: string
  readonly phone: string
  /** Names of the phones to choose from. */
  readonly phones: readonly string[]
}

/** The search and the filters above the list of messages; on a narrow screen, a sheet has them. */
export function MessageFilters(props: MessageFiltersProps): Html {
  const { filter, order, words, age, phone, phones } = props
  const count = [age, phone].filter(value => value !== '').length
  const names = phone === '' || phones.includes(phone) ? phones : [...phones, phone]
  const phoneOptions = [['', 'Any phone'] as const, ...names.map(name => [name, name] as const)]
  return (
    <form method="get" action="/messages" class="filters" id="find" aria-label="Search">
      {filter !== 'all' && <input type="hidden" name="filter" value={filter} />}
      {order === 'asc' && <input type="hidden" name="order" value="asc" />}
      <SearchField
        text="Number or text"
        label="Number or text of the message"
        words={words}
        maxLength={maxSearchLength}
      />
      <button type="button" class="btn opener" popovertarget="more-filters">
        <Icon name="filter" />
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </button>
      <div class="more" id="more-filters" popover="auto">
        <h2>Filters</h2>
        <Choice label="Created" name="age" value={age} options={ageOptions} />
        <Choice label="Phone" name="phone" value={phone} options={phoneOptions} />
        <Button label="Apply" variant="secondary" />
      </div>
    </form>
  )
}

function Choice(props: {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
}): Html {
  const { label, name, value, options } = props
  return (
    <div class="field">
      <label class="unseen" for={name}>
        {label}
      </label>
      <select id={name} name={name}>
        {options.map(([key, text]) => (
          <option value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
