import { Fragment, type Html, h } from '../components/html.js'
import { Icon } from '../components/icons.js'

/** HTML section 6.6.7; the JSX types know the attribute only for fields. */
const focus = { autofocus: true }

const fieldWithError =
  /<label for="([\w-]+)">([^<]*)<\/label>(?:(?!<label)[\s\S])*?<span class="error" id="\1-error">/g

/**
 * A summary above a dashboard page whose forms have errors, with a link to each field. It gets the
 * focus, so that a screen reader begins with it.
 * @param body the page, whose fields name their errors
 */
export function ErrorSummary({ body }: { readonly body: Html }): Html | null {
  const fields = [...body.toString().matchAll(fieldWithError)]
  if (fields.length === 0) return null
  return (
    <div class="notice bad errors" role="alert" tabindex="-1" {...focus}>
      <Icon name="warn" />
      <div>
        <h2>
          {fields.length === 1
            ? 'Nothing was changed. Correct one field'
            : `Nothing was changed. Correct ${fields.length} fields`}
        </h2>
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
