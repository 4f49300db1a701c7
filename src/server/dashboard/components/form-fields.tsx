import { type Child, Fragment, type Html, h } from './html.js'
import { Icon } from './icons.js'
import { focus } from './notice.js'

export interface FieldProps {
  readonly label: string
  readonly name: string
  readonly value?: string | undefined
  readonly hint?: Child
  readonly error?: string | undefined
  readonly required?: boolean
}

export interface TextFieldProps extends FieldProps {
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'tel'
    | 'url'
    | 'number'
    | 'search'
    | 'datetime-local'
  readonly autocomplete?: string
  readonly inputmode?: string
  readonly maxlength?: number
  readonly min?: string
  readonly max?: string
  readonly placeholder?: string
}

export function TextField({ label, hint, error, type = 'text', ...rest }: TextFieldProps): Html {
  return (
    <LabelledField label={label} name={rest.name} hint={hint} error={error}>
      <input id={rest.name} type={type} {...rest} {...describeField(rest.name, hint, error)} />
    </LabelledField>
  )
}

export function TextArea(
  props: FieldProps & {
    readonly rows?: number
    /** Identifier of the element in which the page's script shows the length of the field. */
    readonly lengthId?: string
  },
): Html {
  const { label, hint, error, value, name, required, rows = 4 } = props
  return (
    <LabelledField label={label} name={name} hint={hint} error={error}>
      <textarea
        id={name}
        name={name}
        rows={String(rows)}
        required={required}
        data-length={props.lengthId}
        {...describeField(name, hint, error)}
      >
        {value}
      </textarea>
    </LabelledField>
  )
}

export function Select(
  props: FieldProps & {
    /** Options of the select field: values, or values with labels. */
    readonly options: readonly (string | readonly [string, string])[]
    /** Whether a script selects the browser's time zone in this field of the dashboard. */
    readonly detectZone?: boolean
  },
): Html {
  const { label, hint, error, value, name, required, options } = props
  return (
    <LabelledField label={label} name={name} hint={hint} error={error}>
      <select
        id={name}
        name={name}
        required={required}
        data-detect-zone={props.detectZone === true ? 'true' : undefined}
        {...describeField(name, hint, error)}
      >
        {options.map(option => {
          const [key, text] = typeof option === 'string' ? [option, option] : option
          return (
            <option value={key} selected={key === value}>
              {text}
            </option>
          )
        })}
      </select>
    </LabelledField>
  )
}

export function FileField(props: Omit<FieldProps, 'value'> & { readonly accept: string }): Html {
  const { label, name, hint, error, required, accept } = props
  return (
    <LabelledField label={label} name={name} hint={hint} error={error}>
      <input
        id={name}
        type="file"
        name={name}
        accept={accept}
        required={required}
        {...describeField(name, hint, error)}
      />
    </LabelledField>
  )
}

export function Checkbox(props: {
  readonly label: string
  readonly name: string
  readonly checked?: boolean
}): Html {
  const { label, name, checked = false } = props
  return (
    <div class="tick">
      <input id={name} type="checkbox" name={name} value="true" checked={checked} />
      <label for={name}>{label}</label>
    </div>
  )
}

export function Beside({ children }: { readonly children?: Child }): Html {
  return <div class="beside">{children}</div>
}

function LabelledField(
  props: Pick<FieldProps, 'label' | 'name' | 'hint' | 'error'> & { readonly children?: Child },
): Html {
  const { label, name, hint, error, children } = props
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children}
      {error !== undefined && (
        <span class="error" id={`${name}-error`}>
          <Icon name="warn" />
          {error}
        </span>
      )}
      {hint !== undefined && <small id={`${name}-hint`}>{hint}</small>}
    </div>
  )
}

function describeField(name: string, hint: Child, error: string | undefined) {
  const ids = [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-error`]
  const list = ids.filter(id => id !== '').join(' ')
  return {
    'aria-describedby': list === '' ? undefined : list,
    'aria-invalid': error === undefined ? undefined : ('true' as const),
  }
}

interface SearchFieldProps {
  /** What the search finds; the placeholder. */
  readonly text: string
  readonly label: string
  readonly words: string
  readonly maxLength: number
}

export function SearchField({ text, label, words, maxLength }: SearchFieldProps): Html {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        name="q"
        value={words}
        maxlength={maxLength}
        placeholder={text}
        aria-label={label}
      />
    </div>
  )
}

const fieldWithError = new RegExp(
  '<label(?: class="unseen")? for="([\\w-]+)">([^<]*)</label>' +
    '(?:(?!<label)[\\s\\S])*?<span class="error" id="\\1-error">',
  'g',
)

/**
 * A summary above a dashboard page whose forms have errors, with a link to each field. It gets the
 * focus, so that a screen reader begins with it.
 * @param body the page, whose fields name their errors
 */
export function ErrorSummary({ body }: { readonly body: Html }): Html | null {
  const fields = [...body.toString().matchAll(fieldWithError)]
  if (fields.length === 0) return null
  return (
    <div class="notice bad errors" role="alert" {...focus}>
      <Icon name="warn" />
      <div>
        <h2>{fields.length === 1 ? 'Correct one field:' : `Correct ${fields.length} fields:`}</h2>
        <p>
          {fields.map(([, name = '', label = ''], index) => (
            <>
              {index > 0 && ', '}
              <a href={`#${name}`}>{unescapeText(label)}</a>
            </>
          ))}
        </p>
      </div>
    </div>
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#34': '"' }

/** The text of a label, which the summary escapes again. */
function unescapeText(markup: string): string {
  return markup.replace(/&(amp|lt|gt|#34|#39);/g, (_, name: string) => entities[name] ?? "'")
}
