import { messageCreate } from '../../../contract/message-schema.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { parseLocalTime } from '../../../domain/time/zoned-time.js'
import { getField, type PageRequest } from '../page/page.js'

/** What a person typed into a form of a message. */
export interface MessageFormInput {
  /** One or many numbers, apart by line breaks, commas or semicolons. */
  readonly destination: string
  readonly message: string
  /** Local `YYYY-MM-DDTHH:MM`; empty for at once. */
  readonly sendOn: string
  /** The time zone `sendOn` is in. */
  readonly zone: string
}

/** What is wrong with the fields of a form, by name. */
export type MessageFormErrors = { readonly [K in keyof MessageFormInput]?: string }

/** Reads a form as it was sent; browsers end lines with CR and LF, texts with LF alone. */
export function parseMessageForm(request: Pick<PageRequest, 'fields'>): MessageFormInput {
  return {
    destination: getField(request, 'destination'),
    message: normalizeLineBreaks(getField(request, 'message')),
    sendOn: getField(request, 'send_on'),
    zone: getField(request, 'zone') || 'UTC',
  }
}

/** A text whose lines end with LF. */
export function normalizeLineBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** The numbers of a form. */
export function parseDestinations({
  destination,
}: Pick<MessageFormInput, 'destination'>): string[] {
  return destination
    .split(/[\n\r,;]+/)
    .map(number => number.trim())
    .filter(number => number !== '')
}

/** When to send, in milliseconds since the epoch; undefined for at once. */
export function parseSendAt({ sendOn, zone }: MessageFormInput): number | undefined {
  return sendOn === '' ? undefined : parseLocalTime(sendOn, zone)
}

/** What is wrong with a form, in sentences that say what to do; undefined when nothing is. */
export function validateMessageForm(
  form: MessageFormInput,
  country: string,
  mostNumbers: number,
): MessageFormErrors | undefined {
  const errors = {
    destination: validateNumbers(parseDestinations(form), country, mostNumbers),
    message: validateText(form.message),
    sendOn: validateTime(form),
  }
  const given = Object.entries(errors).filter(([, error]) => error !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function validateNumbers(numbers: readonly string[], country: string, most: number) {
  if (numbers.length === 0) return 'Give a number to send to.'
  if (numbers.length > most) {
    return most === 1 ? 'Give one number.' : `Give at most ${most} numbers at once.`
  }
  const wrong = numbers.filter(number => !isValidNumber(number, country))
  if (wrong.length === 0) return undefined
  const shown = wrong.slice(0, 5).join(', ') + (wrong.length > 5 ? ' and others' : '')
  return `Cannot be dialled: ${shown}. Give numbers in international form, such as +12025550123.`
}

function isValidNumber(number: string, country: string): boolean {
  const isRight = messageCreate.shape.destination.safeParse(number).success
  return isRight && toCanonicalNumber(number, country) !== undefined
}

function validateText(text: string): string | undefined {
  const issue = messageCreate.shape.message.safeParse(text).error?.issues[0]
  return issue && `The message ${issue.message}.`
}

function validateTime(form: MessageFormInput): string | undefined {
  if (form.sendOn === '' || parseSendAt(form) !== undefined) return undefined
  return 'There is no such time; give date, hour and minute, or nothing to send at once.'
}
