import { sources } from '../../../domain/message/message.js'
import { Button } from '../components/form.js'
import { SearchField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'
import { sourceLabels } from '../messages/message-path.js'
import { ages, type ListQuery, listFilterNames, maxSearchLength } from './message-list-query.js'

const ageOptions = [
  ['', 'Any date'] as const,
  ...ages.map(([name, label]) => [name, label] as const),
]

const sourceOptions = [
  ['', 'Any source'] as const,
  ...sources.map(source => [source, sourceLabels[source]] as const),
]

interface MessageFiltersProps {
  readonly query: ListQuery
  readonly phones: readonly string[]
  readonly zone: string
}

/** The search and the filters above the list of messages; on a narrow screen, a sheet has them. */
export function MessageFilters(props: MessageFiltersProps): Html {
  const { query, phones, zone } = props
  const { filter, order, words, age, phone, source } = query
  const count = listFilterNames(query).filter(name => name !== 'words').length
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
        <DayField label={`From (${zone})`} name="from" value={query.from} />
        <DayField label={`To (${zone})`} name="to" value={query.to} />
        <Choice label="Source" name="source" value={source} options={sourceOptions} />
        <Choice label="Phone" name="phone" value={phone} options={phoneOptions} />
        <Button label="Apply" variant="secondary" />
      </div>
    </form>
  )
}

export function DayField(props: { readonly label: string; name: string; value: string }): Html {
  const { label, name, value } = props
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input id={name} type="date" name={name} value={value} />
    </div>
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
