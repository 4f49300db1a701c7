import { limits } from '../../../domain/limits.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { parseLocalTime } from '../../../domain/time/zoned-time.js'
import { formatCount } from '../../../util/text/plural.js'
import { Actions, Button, Form } from '../components/form.js'
import { Beside, Checkbox, TextArea, TextField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import { normalizeLineBreaks } from '../messages/message-form.js'
import { createFieldProps, type FieldErrors, pickFilledFields } from '../page/field-errors.js'
import { getField, type PageRequest } from '../page/page.js'

export interface SecretUrlFormInput {
  readonly fields: Readonly<Record<string, string>>
  readonly errors?: FieldErrors
}

export function parseSecretUrlForm(request: PageRequest): SecretUrlFormInput {
  const filled = pickFilledFields(request.fields, [
    'name',
    'destination',
    'message',
    'max_length',
    'rate',
    'confirm',
  ])
  const { message } = filled
  const fields =
    message === undefined ? filled : { ...filled, message: normalizeLineBreaks(message) }
  const until = getField(request, 'expires_on')
  if (until === '') return { fields }
  const { at, problem } = parseLocalTime(until, getField(request, 'zone'))
  if (at !== undefined) return { fields: { ...fields, expires_on: formatDateTime(at) } }
  return { fields, errors: { expires_on: problem } }
}

const destinationHint =
  `At most ${limits.secretUrlDestinations} numbers, separated by commas. ` +
  'Empty: each request names its recipient.'
const textHint =
  '{name} inserts a field of the request, {a|b|"text"} the first that is there; {{ is a brace. ' +
  'Empty: each request has its own text.'

interface SecretUrlFormProps {
  readonly request: PageRequest
  readonly action: string
  readonly errors: FieldErrors | undefined
}

export function SecretUrlForm({ request, action, errors }: SecretUrlFormProps): Html {
  const input = createFieldProps(request, errors)
  const zone = getField(request, 'zone') || (request.account.timeZone ?? '')
  return (
    <Form action={action} csrf={request.csrf} label="New secret URL" errors={errors}>
      <Beside>
        <TextField label="Name" {...input('name')} hint="Helps you recognize the secret URL." />
        <TextField label="To" {...input('destination')} hint={destinationHint} />
      </Beside>
      <TextArea label="Text" {...input('message')} rows={3} hint={textHint} />
      <Beside>
        <TextField
          label="Maximum characters of a text"
          {...input('max_length')}
          inputmode="numeric"
          hint={`Longer texts are truncated. Empty: ${formatCount(limits.text)}.`}
        />
        <TextField
          label="Limit"
          {...input('rate')}
          placeholder="10/h"
          hint="Uses per s, min, h or d. Empty: no limit."
        />
        <LocalTimeFields
          label="Expires on"
          {...input('expires_on')}
          hint="Empty: never."
          zone={zone}
          detectZone={zone === ''}
        />
      </Beside>
      <Checkbox
        label="Ask for confirmation when it is opened in a browser"
        name="confirm"
        checked={getField(request, 'confirm') === 'true'}
      />
      <Actions>
        <Button label="Create the secret URL" />
      </Actions>
    </Form>
  )
}
