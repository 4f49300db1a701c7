import { isRelayError } from '../../../errors.js'
import { Card } from '../components/card.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { type Child, type Html, h } from '../components/html.js'
import {
  type PageHandler,
  type PageRequest,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { VersionField } from './edit-conflict.js'

interface EditCardProps {
  readonly request: PageRequest
  /** The card's label. */
  readonly label: string
  readonly path: string
  /** The version of what the form of the dashboard edits. */
  readonly version: string
  readonly button?: string
  readonly back: { readonly path: string; readonly label: string }
  readonly children?: Child
}

/** A card of the dashboard with the form that edits something; its fields are the children. */
export function EditCard(props: EditCardProps): Html {
  const { request, label, path, version, button = 'Save', back, children } = props
  return (
    <Card label={label}>
      <Form action={path} csrf={request.csrf} label={label}>
        <VersionField request={request} current={version} />
        {children}
        <Actions>
          <Button label={button} />
          <ButtonLink href={back.path} label={back.label} variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
}

/** Creates the handler of a form of the dashboard that deletes something of a list. */
export function createDeleteHandler(
  listPath: string,
  texts: { readonly done: string; readonly gone: string },
  remove: (request: PageRequest) => Promise<unknown>,
): PageHandler {
  return async request => {
    try {
      await remove(request)
    } catch (error) {
      if (!isRelayError(error, 'not_found')) throw error
      return redirectWithError(listPath, texts.gone)
    }
    return redirectWithSuccess(listPath, texts.done)
  }
}
