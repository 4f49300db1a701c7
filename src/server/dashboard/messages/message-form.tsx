import { messageEdit } from '../../../contract/message-schema.js'
import { limits } from '../../../domain/limits.js'
import { useGsmLetters } from '../../../domain/sms/fewer-parts.js'
import { readNumber } from '../../../domain/sms/phone-number.js'
import { countSmsParts } from '../../../domain/sms/sms-parts.js'
import { parseLocalTime } from '../../../domain/time/zoned-time.js'
import { formatCount, pluralize } from '../../../util/text/plural.js'
import { Beside, TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { LocalTimeFields } from '../components/local-time-fields.js'
import { getField, type PageRequest } from '../page/page.js'

export interface MessageFormInput {
  /** Recipients in the message form: numbers, separated by line breaks, commas or semicolons. */
  readonly destination: string
  readonly message: string
  /** Local time of the dashboard's form, `YYYY-MM-DDTHH:MM`; empty to send at once. */
  readonly sendOn: string
  readonly zone: string
}

export type MessageFormErrors = { readonly [K in keyof MessageFormInput]?: string }

export function parseMessageForm(request: Pick<PageRequest, 'fields'>): MessageFormInput {
  return {
    destination: getField(request, 'destination'),
    message: normalizeLineBreaks(getField(request, 'message')),
    sendOn: getField(request, 'send_on'),
    zone: getField(request, 'zone') || 'UTC',
  }
}

/** Converts the line breaks of a form's text: browsers send CR LF. */
export function normalizeLineBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

export function parseDestinations({ destination }: Pick<MessageFormInput, 'destination'>) {
  return destination
    .split(/[\n\r,;]+/)
    .map(number => number.trim())
    .filter(number => number !== '')
}

/** Parses the message form's time to milliseconds since the epoch; undefined to send at once. */
export function parseSendAt({ sendOn, zone }: MessageFormInput): number | undefined {
  return sendOn === '' ? undefined : parseLocalTime(sendOn, zone).at
}

export function validateMessageForm(
  form: MessageFormInput,
  country: string,
  maxNumbers: number,
): MessageFormErrors | undefined {
  const errors = {
    destination: validateNumbers(parseDestinations(form), country, maxNumbers),
    message: validateText(form.message),
    sendOn: validateTime(form),
  }
  const found = Object.entries(errors).filter(([, error]) => error !== undefined)
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function validateNumbers(numbers: readonly string[], country: string, maxNumbers: number) {
  if (numbers.length === 0) return 'Enter a number.'
  if (numbers.length > maxNumbers)
    return maxNumbers === 1 ? 'Enter only one number.' : `Enter at most ${maxNumbers} numbers.`
  const problems = numbers.flatMap(number => findNumberProblem(number, country))
  if (problems.length === 0) return undefined
  const others = problems.length - maxShownProblems
  const more = others > 0 ? ` ${pluralize(others, 'other number')} cannot be dialled.` : ''
  return problems.slice(0, maxShownProblems).join(' ') + more
}

const maxShownProblems = 5

function findNumberProblem(number: string, country: string): string[] {
  const read = readNumber(number, country)
  if ('problem' in read) return [`${number} ${read.problem}.`]
  const { success } = messageEdit.safeParse({ destination: number })
  return success ? [] : [`${number} is too long.`]
}

function validateText(text: string): string | undefined {
  const issue = messageEdit.safeParse({ message: text }).error?.issues[0]
  return issue && `The message ${issue.message}.`
}

function validateTime({ sendOn, zone }: MessageFormInput): string | undefined {
  return sendOn === '' ? undefined : parseLocalTime(sendOn, zone).problem
}

export interface MessageFieldsProps {
  readonly form: MessageFormInput
  readonly errors: MessageFormErrors | undefined
  readonly allowMany: boolean
  readonly detectZone: boolean
}

const numberHint = 'In international form, such as +12025550123.'
const textHint =
  `At most ${formatCount(limits.text)} characters. A part has 160 characters, ` +
  'or 70 if one is not in the GSM alphabet.'

export function MessageFields({ form, errors, allowMany, detectZone }: MessageFieldsProps): Html {
  const destination = {
    label: 'To',
    name: 'destination',
    value: form.destination,
    required: true,
    error: errors?.destination,
  }
  return (
    <>
      {allowMany ? (
        <TextArea
          {...destination}
          rows={2}
          hint={`One or more numbers, separated by line breaks or commas. ${numberHint}`}
        />
      ) : (
        <TextField {...destination} type="tel" hint={numberHint} />
      )}
      <TextWithLength text={form.message} error={errors?.message} />
      <Beside>
        <LocalTimeFields
          label="Send on"
          name="send_on"
          value={form.sendOn}
          hint="Leave it empty to send at once."
          error={errors?.sendOn}
          zone={form.zone}
          zoneHint="Applies to “Send on”."
          detectZone={detectZone}
        />
      </Beside>
    </>
  )
}

function TextWithLength(props: { text: string; error: string | undefined }): Html {
  return (
    <div class="field">
      <TextArea
        label="Message"
        name="message"
        value={props.text}
        required
        hint={textHint}
        error={props.error}
        lengthId="length"
      />
      <TextLength text={props.text} />
    </div>
  )
}

export function TextLength({ text }: { readonly text: string }): Html {
  return (
    <output class="count" id="length" for="message" aria-live="polite">
      {text === '' ? '' : formatTextLength(text)}
    </output>
  )
}

export function formatTextLength(text: string): string {
  const { alphabet, parts } = countSmsParts(text)
  const characters = [...text].length
  const fewer = countSmsParts(useGsmLetters(text))
  const hint = fewer.parts < parts ? `; with plain quotes and dashes ${fewer.parts}` : ''
  return `${pluralize(characters, 'character')}, ${pluralize(parts, 'part')} in ${alphabet}${hint}`
}
