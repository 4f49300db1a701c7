// The format of the data files. Every line has a checksum (`util/files/checksum-line`).
//
//   manifest = manifest-line                   ; `manifest`
//   snapshot = header *record-line footer      ; all records at one moment
//   journal  = header *change-line             ; the changes after that (`util/files/append-log`)
//
//   record-line  [[kind, key, record]]
//   footer       the number of records, the CRC-32 of all bytes before it, and the sequence number
//                of the last change in it
//   change-line  [sequence, ...entries]; the sequence number grows by one with each line, in all
//                journals, so that a missing, repeated or moved line is found, and a damaged line
//                does not make others unreadable
//
// Every change of the shape of a line or record raises `formatVersion`.

import { RelayError } from '../../../../errors.js'

export const formatVersion = 3

/** The first version of the program that reads data files of {@link formatVersion}. */
export const requiredProgram = '0.1.0'

export interface Header {
  readonly smsrelay: 'snapshot' | 'journal'
  readonly format: number
  /** For a journal: sequence number of its first change. */
  readonly first?: number
}

export interface Footer {
  readonly records: number
  /** CRC-32 of all bytes before the footer, 8 hexadecimal digits. */
  readonly checksum: string
  readonly last: number
}

/** The header in the value of a file's first line; undefined for another value. */
export function parseHeader(value: unknown): Header | undefined {
  const header = value as Partial<Header> | null | undefined
  if (typeof header?.format !== 'number') return undefined
  return header.smsrelay === 'snapshot' || header.smsrelay === 'journal'
    ? (header as Header)
    : undefined
}

export function assertKnownFormat(
  path: string,
  { format, program }: { readonly format: number; readonly program?: string },
): void {
  if (format === formatVersion) return
  const isNewer = format > formatVersion
  const other = isNewer ? 'a newer' : 'an older'
  const needed =
    isNewer && program !== undefined ? `, which smsrelay ${program} and newer read` : ''
  throw new RelayError(
    'configuration',
    `${path} has format ${format} of ${other} smsrelay${needed}; this one reads format ` +
      `${formatVersion}.`,
    { hint: `Install ${other} version, or choose another directory with --data.` },
  )
}
