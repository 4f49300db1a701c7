import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'fixtures/charsets')

/** A text, and its bytes in a charset by Python's codec; `iso-8859-1` has those of windows-1252. */
export interface CharsetVector {
  readonly label: string
  readonly bytes: Buffer
  /** The printable characters of ASCII; in a second line others of the charset. */
  readonly text: string
  /** The second line. */
  readonly others: { readonly bytes: Buffer; readonly text: string }
}

export const charsetVectors: readonly CharsetVector[] = [
  ...['windows-1252', 'iso-8859-15', 'koi8-r', 'gb18030', 'iso-2022-jp', 'shift_jis'].map(name =>
    readVector(name, name),
  ),
  readVector('iso-8859-1', 'windows-1252'),
]

function readVector(label: string, file: string): CharsetVector {
  const bytes = readFileSync(join(folder, `${file}.bin`))
  const text = readFileSync(join(folder, `${file}.txt`), 'utf8')
  const others = {
    bytes: bytes.subarray(bytes.indexOf('\n') + 1, -1),
    text: text.slice(text.indexOf('\n') + 1, -1),
  }
  return { label, bytes, text, others }
}
