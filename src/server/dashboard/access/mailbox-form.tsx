import { mailboxCreate } from '../../../contract/mailbox-schema.js'
import { limits } from '../../../domain/limits.js'
import { formatCount } from '../../../util/text/plural.js'
import { Actions, Button, Form } from '../components/form.js'
import { Beside, Select, TextField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import {
  createFieldProps,
  type FieldErrors,
  parseFields,
  pickFilledFields,
} from '../page/field-errors.js'
import type { PageRequest } from '../page/page.js'

const names = ['name', 'alias', 'destinations', 'senders', 'subject', 'hourly_limit', 'max_length']

export function parseMailboxForm({ fields }: PageRequest) {
  return parseFields(mailboxCreate, pickFilledFields(fields, names))
}

interface MailboxFormProps {
  readonly action: string
  readonly request: PageRequest
  readonly errors: FieldErrors | undefined
}

export function MailboxForm({ action, request, errors }: MailboxFormProps): Html {
  return (
    <Form action={action} csrf={request.csrf} label="New mailbox" errors={errors}>
      <NameFields request={request} errors={errors} />
      <RouteFields request={request} errors={errors} />
      <LimitFields request={request} errors={errors} />
      <Actions>
        <Button label="Create the mailbox" />
      </Actions>
    </Form>
  )
}

type FieldsProps = Omit<MailboxFormProps, 'action'>

function NameFields({ request, errors }: FieldsProps): Html {
  const input = createFieldProps(request, errors)
  return (
    <Beside>
      <TextField label="Name" {...input('name')} hint="Helps you recognize the mailbox." />
      <TextField
        label="Alias"
        {...input('alias')}
        hint="A name that is not secret; it requires To and From. Empty: the address is secret."
      />
    </Beside>
  )
}

const sendersHint =
  'Allowed senders: addresses and @domains, separated by commas; * allows all. ' +
  'Empty: anyone who knows the address.'

function RouteFields({ request, errors }: FieldsProps): Html {
  const input = createFieldProps(request, errors)
  return (
    <Beside>
      <TextField
        label="To"
        {...input('destinations')}
        hint="Numbers, separated by commas. Empty: the number is part of the address."
      />
      <TextField label="From" {...input('senders')} hint={sendersHint} />
    </Beside>
  )
}

function LimitFields({ request, errors }: FieldsProps): Html {
  const input = createFieldProps(request, errors)
  return (
    <Beside>
      <Select
        label="Subject"
        {...input('subject')}
        options={[
          ['never', 'Ignore it'],
          ['first', 'Put it before the text'],
        ]}
      />
      <TextField
        label="Maximum texts an hour"
        {...input('hourly_limit')}
        inputmode="numeric"
        hint="Empty: no limit."
      />
      <TextField
        label="Maximum characters of a text"
        {...input('max_length')}
        inputmode="numeric"
        hint={`Longer texts are truncated. Empty: ${formatCount(limits.text)}.`}
      />
    </Beside>
  )
}
