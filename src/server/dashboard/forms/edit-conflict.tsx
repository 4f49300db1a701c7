import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { Card } from '../components/card.js'
import { versionFieldName } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Facts } from '../components/table.js'
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

/** Shows a form with what is stored, for a request that has no input. */
export type ShowCurrent = (request: PageRequest) => PageResult | Promise<PageResult>

/**
 * Answers an outdated form with status 409: what happened, the form as it is now, and the input,
 * so that nothing that was entered is lost.
 * @param reason such as "The message has been changed in the meantime."
 */
export async function showChanged(
  request: PageRequest,
  reason: string,
  showCurrent: ShowCurrent,
): Promise<PageResult> {
  const current = await showCurrent({ ...request, fields: {} })
  if (current === undefined || !('page' in current)) return current
  const body = (
    <>
      <Notice kind="failed" hasFocus>
        {`${reason} Your changes are not saved. Your input is at the end of the page.`}
      </Notice>
      {current.page.body}
      <Card title="Your input">
        <Facts items={listInput(request)} />
      </Card>
    </>
  )
  return showPage({ ...current.page, body, status: 409 })
}

const ownFields: ReadonlySet<string> = new Set(['csrf', 'key', versionFieldName])

function listInput({ fields }: PageRequest): (readonly [label: string, value: Html])[] {
  return Object.entries(fields)
    .filter(([name]) => !ownFields.has(name))
    .map(([name, value]) => [
      name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' '),
      <span class="text">{String(value)}</span>,
    ])
}
