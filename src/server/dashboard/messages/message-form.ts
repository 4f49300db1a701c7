import { messageCreate } from '../../../contract/message-schema.js'
import { canonicalNumber } from '../../../domain/sms/phone-number.js'
import { parseLocalTime } from '../../../domain/time/zoned-time.js'
import { field, type Visit } from '../page/page.js'

/** What a person typed into a form of a message. */
export interface MessageForm {
  /** One or many numbers, apart by line breaks, commas or semicolons. */
  readonly destination: string
  readonly message: string
  /** Local `YYYY-MM-DDTHH:MM`; empty for at once. */
  readonly sendOn: string
  /** The time zone `sendOn` is in. */
  readonly zone: string
}

/** What is wrong with the fields of a form, by name. */
export type FormErrors = { readonly [K in keyof MessageForm]?: string }

/** Reads a form as it was sent; browsers end lines with CR and LF, texts with LF alone. */
export function messageForm(visit: Pick<Visit, 'fields'>): MessageForm {
  return {
    destination: field(visit, 'destination'),
    message: plainLines(field(visit, 'message')),
    sendOn: field(visit, 'send_on'),
    zone: field(visit, 'zone') || 'UTC',
  }
}

/** A text whose lines end with LF. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** The numbers of a form. */
export function destinationsOf({ destination }: Pick<MessageForm, 'destination'>): string[] {
  return destination
    .split(/[\n\r,;]+/)
    .map(number => number.trim())
    .filter(number => number !== '')
}

/** When to send, in milliseconds since the epoch; undefined for at once. */
export function sendAtOf({ sendOn, zone }: MessageForm): number | undefined {
  return sendOn === '' ? undefined : parseLocalTime(sendOn, zone)
}

/** What is wrong with a form, in sentences that say what to do; undefined when nothing is. */
export function errorsOf(
  form: MessageForm,
  country: string,
  mostNumbers: number,
): FormErrors | undefined {
  const errors = {
    destination: numbersError(destinationsOf(form), country, mostNumbers),
    message: textError(form.message),
    sendOn: timeError(form),
  }
  const given = Object.entries(errors).filter(([, error]) => error !== undefined)
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

function numbersError(numbers: readonly string[], country: string, most: number) {
  if (numbers.length === 0) return 'Give a number to send to.'
  if (numbers.length > most) {
    return most === 1 ? 'Give one number.' : `Give at most ${most} numbers at once.`
  }
  const wrong = numbers.filter(number => !isDialled(number, country))
  if (wrong.length === 0) return undefined
  const shown = wrong.slice(0, 5).join(', ') + (wrong.length > 5 ? ' and others' : '')
  return `Cannot be dialled: ${shown}. Give numbers in international form, such as +12025550123.`
}

function isDialled(number: string, country: string): boolean {
  const isRight = messageCreate.shape.destination.safeParse(number).success
  return isRight && canonicalNumber(number, country) !== undefined
}

function textError(text: string): string | undefined {
  const issue = messageCreate.shape.message.safeParse(text).error?.issues[0]
  return issue && `The message ${issue.message}.`
}

function timeError(form: MessageForm): string | undefined {
  if (form.sendOn === '' || sendAtOf(form) !== undefined) return undefined
  return 'There is no such time; give date, hour and minute, or nothing to send at once.'
}
