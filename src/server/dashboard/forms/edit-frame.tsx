import { isRelayError } from '../../../errors.js'
import { Card } from '../components/card.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { type Child, type Html, h } from '../components/html.js'
import { type FieldErrors, type ParsedForm, toFieldErrors } from '../page/field-errors.js'
import {
  type PageHandler,
  type PageRequest,
  type PageResult,
  redirectWithError,
  redirectWithSuccess,
} from '../page/page.js'
import { type ShowCurrent, showChanged, VersionField } from './edit-conflict.js'

interface EditCardProps {
  readonly request: PageRequest
  readonly errors?: FieldErrors | undefined
  readonly label: string
  readonly path: string
  readonly version: string
  readonly button?: string
  readonly back: { readonly path: string; readonly label: string }
  readonly children?: Child
}

export function EditCard(props: EditCardProps): Html {
  const { request, errors, label, path, version, button = 'Save', back, children } = props
  return (
    <Card label={label}>
      <Form action={path} csrf={request.csrf} label={label} errors={errors}>
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

interface EditSteps<T> {
  /** Saves what the form has; throws `precondition_failed` if its version is outdated. */
  readonly save: (data: T) => Promise<PageResult>
  readonly showForm: (errors: FieldErrors) => PageResult | Promise<PageResult>
  readonly showCurrent: ShowCurrent
  /** Why the version is outdated, such as "The template has been changed in the meantime." */
  readonly reason: string
}

/** Answers the form of an {@link EditCard}: saves it, or shows it again. */
export async function submitEdit<T>(
  request: PageRequest,
  parsed: ParsedForm<T>,
  { save, showForm, showCurrent, reason }: EditSteps<T>,
): Promise<PageResult> {
  if ('errors' in parsed) return await showForm(parsed.errors)
  try {
    return await save(parsed.data)
  } catch (error) {
    if (isRelayError(error, 'precondition_failed'))
      return await showChanged(request, reason, showCurrent)
    return await showForm(toFieldErrors(error))
  }
}

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
