// What the commands of `smsrelay phone` share. commands/phone.ts shows the sequence of a running
// phone: setup, drivers, connection, journal, rate limit, and then runPhone.
//
// - phone-flags.ts: flags, and the options of drivers.
// - running-phone.ts: name, journal, tokens and printed events of a running phone.
// - setup: named setups in a file; setup-flags.ts merges them with the flags.
// - doctor: checks of `phone doctor`.
// - test-driver.ts: the text of `phone test`.
import { setFlagsFromString } from 'node:v8'
import {
  type PhoneIdentity,
  RelayClient,
  type RelayClientOptions,
} from '../../client/relay-client.js'
import { isPhoneLabel, unknownPhone } from '../../domain/phone/phone-status.js'
import { redactText } from '../../domain/redact-text.js'
import { RelayError } from '../../errors.js'
import {
  type FileJournal,
  getJournalName,
  openFileJournal,
} from '../../phone/journal/file-journal.js'
import { becomeOwner } from '../../util/files/become-owner.js'
import type { KeyConnection } from '../profile/connection.js'
import { getDefaultJournalDir } from '../profile/directories.js'
import { toOneLine } from '../terminal/terminal-text.js'

export function createPhoneIdentity(
  name: string | undefined,
  host: string,
  driver: string,
): PhoneIdentity {
  if (name !== undefined && !isPhoneLabel(name)) {
    throw new RelayError('usage', `--name must be 1 to 64 printable ASCII characters: "${name}".`)
  }
  return { name: name ?? toLabel(host, unknownPhone.name), driver: toLabel(driver, 'unknown') }
}

/** The directory of the phone's journal, whose owner root becomes. */
export function enterJournalDir(
  journal: string | undefined,
  { url, credentials }: KeyConnection,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return becomeOwner(journal ?? getDefaultJournalDir(getJournalName(url, credentials.user), env))
}

/**
 * Lets V8's heap grow by at most 30 % between two major garbage collections. Records that live for
 * a while become garbage of the old generation, which V8 otherwise lets grow to a multiple of what
 * is in use.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=30')
}

/**
 * Opens the journal of `smsrelay phone`; undefined with --no-journal. `warn` gets one sentence for
 * each problem.
 */
export async function openJournal(
  flags: { readonly journal?: string | undefined; readonly 'no-journal'?: boolean | undefined },
  connection: KeyConnection,
  env: Readonly<Record<string, string | undefined>>,
  warn: (sentence: string) => void,
): Promise<FileJournal | undefined> {
  if (flags['no-journal'] === true) return undefined
  const directory = enterJournalDir(flags.journal, connection, env)
  return await openFileJournal(directory, { credentials: connection.credentials, warn })
}

/**
 * Creates the client of a phone. With the token of its earlier run it gets the messages again that
 * it leased.
 */
export async function createPhoneClient(
  connection: RelayClientOptions,
  journal?: FileJournal,
): Promise<RelayClient> {
  if (journal === undefined) return new RelayClient(connection)
  const token = await journal.readToken()
  return new RelayClient({
    ...connection,
    ...(token === undefined ? {} : { token }),
    onToken: journal.saveToken,
  })
}

/** The fields of events that name a person, or are a received text. */
const privateFields = ['destination', 'from', 'to', 'text', 'hex', 'subject', 'media']

export function formatPhoneEvent(
  event: Readonly<Record<string, unknown>> & { time: string },
  showTexts: boolean,
): string {
  const { time, event: name, ...fields } = event
  const texts = Object.entries(fields)
    .filter(([key, value]) => value !== false && (showTexts || !privateFields.includes(key)))
    .map(([key, value]) => (key === 'id' ? String(value) : `${key}=${formatField(key, value)}`))
    // Errors of drivers and networks can quote a number.
    .map(text => (showTexts || !text.startsWith('error=') ? text : redactText(text)))
  return toOneLine([`${time.slice(11, 19)}Z`, String(name), ...texts].join(' '))
}

function formatField(key: string, value: unknown): string {
  return key === 'wait' ? `${Math.ceil(Number(value) / 1000)}s` : String(value)
}

function toLabel(text: string, fallback: string): string {
  const label = text
    .replace(/[^ -~]/g, '?')
    .slice(0, 64)
    .trim()
  return isPhoneLabel(label) ? label : fallback
}
