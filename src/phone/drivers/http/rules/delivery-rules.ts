import type { DeliveryReceipt, IncomingText, Mms } from '../../../driver-port/driver.js'
import { getJsonText, getJsonValues } from './json-path.js'
import type { DeliveryState, ItemRules } from './provider-preset.js'

export interface DeliveryWords {
  readonly states: Readonly<Record<string, DeliveryState>>
  readonly omitsPlus: boolean
  /** The provider's id of the text, if the receipt is the answer to a question about it. */
  readonly networkId?: string
}

export function readReceipts(
  body: unknown,
  rules: ItemRules,
  { states, omitsPlus, networkId: known }: DeliveryWords,
): DeliveryReceipt[] {
  return findItems(body, rules).flatMap(item => {
    const word = getJsonText(item, ...rules.value)?.toLowerCase() ?? ''
    const state = Object.hasOwn(states, word) ? states[word] : undefined
    const networkId = known ?? getJsonText(item, ...rules.id)
    if (state === undefined || networkId === undefined) return []
    const at = parseTime(getJsonText(item, ...(rules.at ?? [])))
    const reason = getJsonText(item, ...(rules.reason ?? []))
    const isFailed = state === 'undelivered' || state === 'expired'
    return [
      {
        to: normalizeNumber(getJsonText(item, ...rules.number) ?? '', omitsPlus),
        state,
        networkId,
        ...(at === undefined ? {} : { at }),
        ...(reason === undefined || !isFailed ? {} : { reason }),
      },
    ]
  })
}

/** Reads the received texts in a provider's JSON or form. */
export function readTexts(
  body: unknown,
  rules: ItemRules,
  { omitsPlus }: Pick<DeliveryWords, 'omitsPlus'>,
): IncomingText[] {
  return findItems(body, rules).flatMap(item => {
    const from = getJsonText(item, ...rules.number)
    if (from === undefined) return []
    const ref = getJsonText(item, ...rules.id)
    const to = getJsonText(item, ...(rules.to ?? []))
    const sim = getJsonText(item, ...(rules.sim ?? []))
    const mms = readMms(item, rules)
    return [
      {
        from: normalizeNumber(from, omitsPlus),
        ...(to === undefined ? {} : { to: normalizeNumber(to, omitsPlus) }),
        text: readHex(item, rules) ?? getJsonText(item, ...rules.value) ?? '',
        at: parseTime(getJsonText(item, ...(rules.at ?? []))) ?? 0,
        ...(ref === undefined ? {} : { ref }),
        ...(sim === undefined ? {} : { sim: /^\d+$/.test(sim) ? `SIM ${sim}` : sim }),
        ...(mms === undefined ? {} : { mms }),
      },
    ]
  })
}

function readMms(item: unknown, rules: ItemRules): Mms | undefined {
  const paths = rules.media ?? []
  const media = paths
    .flatMap(path => getJsonValues(item, path))
    .filter(each => typeof each === 'string')
  const isMms = media.length > 0 || (rules.mms !== undefined && isMatch(item, rules.mms))
  if (!isMms) return undefined
  const subject = getJsonText(item, ...(rules.subject ?? []))
  const size = Number(getJsonText(item, ...(rules.size ?? [])))
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(Number.isSafeInteger(size) && size > 0 ? { size } : {}),
    ...(media.length === 0 ? {} : { media }),
  }
}

/** The words of a received text from the hexadecimal UTF-16BE that a gateway also gives. */
function readHex(item: unknown, { hex }: ItemRules): string | undefined {
  if (hex === undefined || !isMatch(item, hex.when)) return undefined
  const bytes = Buffer.from(getJsonText(item, hex.path) ?? '', 'hex')
  return bytes.length === 0 || bytes.length % 2 === 1
    ? undefined
    : bytes.swap16().toString('utf16le')
}

function findItems(body: unknown, { list, when }: ItemRules): readonly unknown[] {
  const items = list === undefined ? [body] : getJsonValues(body, `${list}[*]`)
  const conditions = [when ?? []].flat()
  return when === undefined
    ? items
    : items.filter(item => conditions.some(each => isMatch(item, each)))
}

/** Whether an item has the path `when`, with one of its values such as `type=a|b` if it has any. */
function isMatch(item: unknown, when: string): boolean {
  const [path = '', values] = when.split('=', 2)
  const found = getJsonText(item, path)
  return found !== undefined && (values === undefined || values.split('|').includes(found))
}

/** A provider's international number gets its `+`; names and short codes stay as they are. */
function normalizeNumber(number: string, omitsPlus: boolean): string {
  return omitsPlus && /^[1-9]\d{6,14}$/.test(number) ? `+${number}` : number
}

/** Parses a provider's time, in seconds, milliseconds or as a date; one without a zone is UTC. */
function parseTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{10}(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (/^\d{13}$/.test(text)) return Number(text)
  const hasZone = /(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text)
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? undefined : time
}
