import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, Button, ButtonLink, Form, versionFieldName } from '../components/form.js'
import { type Child, Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { getField, type PageRequest, type PageResult, showPage } from '../page/page.js'

export function createVersion(values: readonly unknown[]): string {
  return hashText(JSON.stringify(values)).slice(0, 22)
}

/** The version that a dashboard form changes; it stays the same until the form is saved. */
export function VersionField(props: {
  readonly request: PageRequest
  readonly current: string
}): Html {
  const version = getField(props.request, versionFieldName) || props.current
  return <input type="hidden" name={versionFieldName} value={version} />
}

export function checkVersion(request: PageRequest, version: string): void {
  if (getField(request, versionFieldName) === version) return
  throw new RelayError('precondition_failed', 'It has been changed in the meantime.')
}

export function wantsToEdit(request: PageRequest): boolean {
  return getField(request, choiceName) === 'edit'
}

const choiceName = 'choice'

export interface EditConflict {
  readonly title: string
  readonly current: string
  /** What happened, such as "The message was changed in the meantime." */
  readonly reason: string
  readonly rows: readonly (readonly [label: string, current: string, mine: string])[]
  /** The current version; undefined if it cannot be edited any more. */
  readonly version: string | undefined
  readonly backPath: string
}

/**
 * Shows both versions of a dashboard form with status 409: a person saves the own one, edits it, or
 * keeps the current one.
 */
export function showConflictPage(request: PageRequest, conflict: EditConflict): PageResult {
  const { title, current, reason, rows, version, backPath } = conflict
  const body = (
    <>
      <Notice kind="failed" hasFocus>{`${reason} Your changes are not saved.`}</Notice>
      <Card label="Versions">
        <CardBody>
          <p>Choose which version to keep. Differences are marked.</p>
          <div class="versions">
            <Version
              id="theirs"
              title="Current version"
              rows={rows.map(([a, b, c]) => [a, b, c])}
            />
            <Version id="yours" title="Your version" rows={rows.map(([a, b, c]) => [a, c, b])} />
          </div>
          <Choices request={request} version={version} backPath={backPath} />
        </CardBody>
      </Card>
    </>
  )
  return showPage({ title, current, body, status: 409 })
}

function Choices(props: {
  readonly request: PageRequest
  readonly version: string | undefined
  readonly backPath: string
}): Html {
  const { request, version, backPath } = props
  return (
    <Actions>
      {version !== undefined && (
        <Form action={request.http.path} csrf={request.csrf} class="acts" label="Your version">
          <HiddenInput request={request} version={version} />
          <Button label="Save my version" />
          <Button label="Edit my version" variant="secondary" name={choiceName} value="edit" />
        </Form>
      )}
      <ButtonLink href={backPath} label="Keep the current version" variant="bare" />
    </Actions>
  )
}

const ownFields: ReadonlySet<string> = new Set(['csrf', 'key', versionFieldName, choiceName])

function HiddenInput({ request, version }: { request: PageRequest; version: string }): Html {
  const fields = Object.entries(request.fields).filter(([name]) => !ownFields.has(name))
  return (
    <>
      <input type="hidden" name={versionFieldName} value={version} />
      {fields.map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
    </>
  )
}

function Version(props: {
  readonly id: string
  readonly title: string
  readonly rows: readonly (readonly [label: string, value: string, other: string])[]
}): Html {
  const { id, title, rows } = props
  return (
    <section aria-labelledby={id}>
      <h2 id={id} class="label">
        {title}
      </h2>
      <dl class="facts">
        {rows.map(([label, value, other]) => (
          <div>
            <dt>{label}</dt>
            <dd class="text">{markDifference(value, other)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Marks the words between the first and the last that differ from another text. */
function markDifference(text: string, other: string): Child {
  if (text === other) return text
  const [words, others] = [text.split(/(?<=\s)/), other.split(/(?<=\s)/)]
  const shorter = Math.min(words.length, others.length)
  let start = 0
  while (start < shorter && words[start] === others[start]) start += 1
  let end = 0
  while (end < shorter - start && words.at(-1 - end) === others.at(-1 - end)) end += 1
  const middle = words.slice(start, words.length - end).join('')
  return [
    words.slice(0, start).join(''),
    middle === '' ? null : <mark>{middle}</mark>,
    words.slice(words.length - end).join(''),
  ]
}
