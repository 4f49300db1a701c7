// The notification of an MMS: a WAP push in an SMS for port 2948.
//
// 1. The push (WAP-230 WSP, section 8.2.4): identifier, type, length of its headers, headers that
//    begin with the content type, and the content.
// 2. The content (OMA MMS encapsulation 1.2, section 6.2, M-Notification.ind): fields of a name and
//    a value. The form of a value follows from its first octet (WSP, section 8.4.1.2).

export interface MmsNotification {
  /** Absent if the operator hides the sender. */
  readonly from?: string
  readonly subject?: string
  /** Octets of the MMS. */
  readonly size?: number
  /** The operator's id of the MMS; it repeats a notification until the MMS was fetched. */
  readonly transaction: string
}

const push = 0x06
const confirmedPush = 0x07
const contentTypes = ['application/vnd.wap.mms-message', '\xbe']
const notificationType = 0x82
/** Names of fields, without their highest bit. */
const fields = { type: 0x0c, from: 0x09, subject: 0x16, size: 0x0e, transaction: 0x18 } as const

/** Reads the octets of a WAP push; undefined if it is no notification of an MMS. */
export function parseMmsNotification(octets: Uint8Array): MmsNotification | undefined {
  const reader = new ValueReader(Buffer.from(octets))
  reader.readOctet()
  const type = reader.readOctet()
  if (type !== push && type !== confirmedPush) return undefined
  const headers = new ValueReader(reader.readOctets(reader.readInteger()))
  if (!contentTypes.includes(headers.readContentType())) return undefined
  const values = readFields(reader)
  if (values.get(fields.type)?.[0] !== notificationType) return undefined
  const from = readSender(values.get(fields.from))
  const subject = decodeText(values.get(fields.subject))
  const size = values.get(fields.size)
  return {
    ...(from === '' ? {} : { from }),
    ...(subject === '' ? {} : { subject }),
    ...(size === undefined || size.length === 0 || size.length > 6
      ? {}
      : { size: size.readUIntBE(0, size.length) }),
    transaction: values.get(fields.transaction)?.toString('latin1') ?? '',
  }
}

function readFields(reader: ValueReader): ReadonlyMap<number, Buffer> {
  const values = new Map<number, Buffer>()
  while (!reader.isAtEnd) {
    const name = reader.peek()
    // A name in letters is one of the application.
    if (name < 0x80) reader.readValue()
    else reader.readOctet()
    const value = reader.readValue()
    if (name >= 0x80) values.set(name & 0x7f, value)
  }
  return values
}

/** After the octet for "address present" there is an address such as `+12025550143/TYPE=PLMN`. */
function readSender(value: Buffer | undefined): string {
  if (value?.[0] !== 0x80) return ''
  return decodeText(new ValueReader(value.subarray(1)).readValue()).replace(/\/TYPE=\w+$/i, '')
}

/** Decodes a text, or a charset with a text (OMA MMS encapsulation, Encoded-string-value). */
function decodeText(value: Buffer | undefined): string {
  const [first = 0x20] = value ?? []
  if (value === undefined) return ''
  if (first >= 0x20 && first < 0x80) return decodeUtf8(value)
  const reader = new ValueReader(value)
  const charset = reader.readValue()
  const number = charset.length > 1 ? charset.readUIntBE(0, Math.min(charset.length, 6)) : 0
  const rest = reader.readRest()
  if (utf16.has(number)) {
    const text = new TextDecoder('utf-16be').decode(rest)
    return text.replace(/\0+$/, '')
  }
  return decodeUtf8(rest.subarray(rest[0] === quote ? 1 : 0)).replace(/\0+$/, '')
}

/** Numbers of charsets (IANA MIBenum): ISO-10646-UCS-2, UTF-16BE and UTF-16. */
const utf16 = new Set([1000, 1013, 1015])
/** An octet in front of a text that begins with another character than ASCII. */
const quote = 0x7f

function decodeUtf8(octets: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return octets.toString('latin1')
  }
}

/** Reads values of WSP; what is missing at the end is empty. */
class ValueReader {
  readonly #octets: Buffer
  #at = 0

  constructor(octets: Buffer) {
    this.#octets = octets
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#octets.length
  }

  peek(): number {
    return this.#octets[this.#at] ?? 0
  }

  readOctet(): number {
    return this.readOctets(1)[0] ?? 0
  }

  readOctets(count: number): Buffer {
    const octets = this.#octets.subarray(this.#at, this.#at + count)
    this.#at += count
    return octets
  }

  readRest(): Buffer {
    return this.readOctets(this.#octets.length - this.#at)
  }

  /** Reads an integer of seven bits an octet (uintvar). */
  readInteger(): number {
    let value = 0
    for (let count = 0; count < 5 && !this.isAtEnd; count += 1) {
      const octet = this.readOctet()
      value = value * 128 + (octet & 0x7f)
      if (octet < 0x80) break
    }
    return value
  }

  /** Reads a content type: a text or a short integer, or one of them with parameters. */
  readContentType(): string {
    const hasLength = this.peek() < 0x20
    const value = this.readValue()
    return (hasLength ? new ValueReader(value).readValue() : value).toString('latin1')
  }

  /** Reads one value: an octet, octets after their length, or a text without its NUL. */
  readValue(): Buffer {
    const first = this.peek()
    if (first >= 0x80) return this.readOctets(1)
    if (first < 0x1f) return this.readOctets(this.readOctet())
    if (first === 0x1f) {
      this.readOctet()
      return this.readOctets(this.readInteger())
    }
    if (first === quote || first === 0x22) this.readOctet()
    const end = this.#octets.indexOf(0, this.#at)
    const text = this.readOctets((end < 0 ? this.#octets.length : end) - this.#at)
    this.readOctet()
    return text
  }
}
