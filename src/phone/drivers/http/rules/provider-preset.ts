import type { DeliveryReceipt } from '../../../driver-port/driver.js'
import type { OptionNotes } from '../../../driver-port/driver-options.js'
import type { CheckSignature } from '../signatures/signed-webhook.js'
import type { StatusMeaning } from './status-rules.js'

export type DeliveryState = DeliveryReceipt['state']

/**
 * Where a provider's JSON or form has the fields of a receipt or a received text; several paths are
 * tried in order.
 */
export interface ItemRules {
  /** Path of the array of items. @default the whole body is one item */
  readonly list?: string
  /** A path and the values that it has in such an item, separated by `|`; or one of several. */
  readonly when?: string | readonly string[]
  /** Empty if the id of a received text is another one when it comes again. */
  readonly id: readonly string[]
  /** The other party: whom a sent text went to, or who sent a received text. */
  readonly number: readonly string[]
  /** The number that a received text was sent to. */
  readonly to?: readonly string[]
  /** The status of a sent text, or the words of a received one. */
  readonly value: readonly string[]
  readonly at?: readonly string[]
  readonly reason?: readonly string[]
  /** The SIM that received a text. */
  readonly sim?: readonly string[]
  /** Subject and size of an MMS, and the addresses of its pictures. */
  readonly subject?: readonly string[]
  readonly size?: readonly string[]
  readonly media?: readonly string[]
  /** A path and its values in an MMS. @default an MMS is a text with `media` */
  readonly mms?: string
  /** Where a received text is in hexadecimal UTF-16BE, and in which items. */
  readonly hex?: { readonly path: string; readonly when: string }
}

/** How a provider tells the delivery status of one sent text when it is asked. */
export interface StatusQuery {
  /** Appended to the address of the provider; `{networkId}` is the provider's id of the text. */
  readonly path: string
  readonly receipt: ItemRules
}

export interface PresetWebhook {
  readonly check: CheckSignature
  /** Checks of weaker signatures, which count only if the option `signature` names one. */
  readonly weakChecks?: Readonly<Record<string, CheckSignature>>
  /** Environment variables with the secret or public key; the first one that is set counts. */
  readonly secret: readonly string[]
  /** Whether the signature covers the address, so that the phone must know it. @default false */
  readonly signsUrl?: boolean
  /** Whether the secret is the end of the webhook's path, because the provider signs nothing. */
  readonly hasSecretPath?: boolean
  /** Whether AWS SNS carries the body, which has a topic. @default false */
  readonly isSns?: boolean
  readonly receipt?: ItemRules
  readonly text?: ItemRules
  /** The body of the reply that acknowledges a webhook. @default none */
  readonly reply?: string
}

/** Settings for a known provider; options of the same name replace them. */
export interface ProviderPreset {
  readonly title: string
  /** Address of the provider; absent if users run the service themselves. */
  readonly url?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly user?: string
  readonly password?: string
  /** The service name of requests with an AWS signature; the region is the option `region`. */
  readonly awsService?: string
  readonly type: 'json' | 'form' | 'query'
  /**
   * Templates of the request; the first one for which all values are given is used. A part in `<>`
   * is left out if one of its values is not given.
   */
  readonly bodies: readonly string[]
  /** Template for texts outside the GSM 7-bit alphabet. @default that of `bodies` */
  readonly unicodeBody?: string
  /** Fields of a flash text, in JSON or as a form. @default the provider has none */
  readonly flash?: string
  /** Regular expression of a reply that is not JSON; its named groups are the fields. */
  readonly pattern?: string
  readonly success?: string
  /** Path of the provider's ids of the text, or a template such as `{id}`. */
  readonly id?: string
  readonly parts?: string
  readonly statuses?: Readonly<Partial<Record<StatusMeaning, string>>>
  /** Path of the result or error code of each part; `codes` are the meanings of its values. */
  readonly code?: string
  readonly codes?: Readonly<Partial<Record<StatusMeaning, string>>>
  /** The meaning of a 5xx or of no reply. @default unknown */
  readonly unsure?: 'retry'
  /** Whether the provider writes international numbers without `+`. @default false */
  readonly omitsPlus?: boolean
  /** Delivery states by the provider's words, in small letters; other words are ignored. */
  readonly states?: Readonly<Record<string, DeliveryState>>
  readonly status?: StatusQuery
  readonly webhook?: PresetWebhook
  /** Questions of `phone setup`. @default one for each option that the templates need */
  readonly questions?: Readonly<Record<string, OptionNotes>>
}
