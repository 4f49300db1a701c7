// The lines of an export become the records of a new data directory, or a list of errors.
//
// 1. `parse-export` decodes each line, checks its kind, and parses the record with the schema of
//    its kind (`record-schemas`, with the fields of `record-fields`).
// 2. `record-checks` compares key and record, and finds values that must be unique.
// 3. After the last line it finds accounts, events and messages that do not fit.
// The records themselves are written as they are, so that a new export has the same bytes.
import { RelayError } from '../../../../errors.js'
import { pluralize } from '../../../../util/text/plural.js'
import { type Collections, createCollections, isKind, type Kind } from '../records/collections.js'
import { findMissingReferences, type Problem, RecordChecker } from './record-checks.js'
import { recordSchemas } from './record-schemas.js'

/** Problems of an import that the error lists; it counts the others. */
const maxListed = 20

/**
 * Parses the lines of an export: every record with the schema of its kind, then references and
 * unique values. Resolves to the records only if all are valid. Throws `invalid_parameter` with the
 * first 20 problems as `details`: line, field and reason.
 */
export async function parseExport(lines: AsyncIterable<Uint8Array>): Promise<Collections> {
  const reader = new ExportReader()
  for await (const line of lines) reader.add(line)
  return reader.finish()
}

class ExportReader {
  readonly #data = createCollections()
  readonly #checker = new RecordChecker()
  readonly #numbers = new Map<Kind, number[]>()
  readonly #details: string[] = []
  #line = 0
  #records = 0
  #problems = 0

  add(line: Uint8Array): void {
    this.#line += 1
    const text = decodeUtf8(line)
    if (text?.trim() === '') return
    this.#records += 1
    const problems: Problem[] =
      text === undefined ? [['line', 'is not UTF-8 text']] : this.#addRecord(parseJson(text))
    for (const problem of problems) this.#report(this.#line, problem)
  }

  finish(): Collections {
    if (this.#records === 0) {
      throw new RelayError('invalid_parameter', 'The input is empty; nothing was imported.', {
        hint: 'Pipe the output of `smsrelay data export` to the command.',
      })
    }
    this.#checkReferences()
    if (this.#problems === 0) return this.#data
    const others = this.#problems - this.#details.length
    const errors = pluralize(this.#problems, 'error')
    throw new RelayError('invalid_parameter', `The input has ${errors}; nothing was imported.`, {
      hint: 'Export the records again, or correct these lines.',
      details: others === 0 ? this.#details : [...this.#details, `and ${others} more`],
    })
  }

  #addRecord(value: unknown): Problem[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [['line', 'is not a JSON object']]
    const { kind, key, record, ...rest } = value as Readonly<Record<string, unknown>>
    const [other] = Object.keys(rest)
    if (other !== undefined) return [[other, 'is not a field of an exported record']]
    if (kind === undefined) return [['kind', 'is missing']]
    if (!isKind(this.#data, kind)) return [['kind', `${JSON.stringify(kind)} is unknown`]]
    if (typeof key !== 'string') return [['key', 'is not a text']]
    return this.#addRecordOfKind(kind, key, record)
  }

  #addRecordOfKind(kind: Kind, key: string, record: unknown): Problem[] {
    if (this.#data[kind].has(key)) return [['key', `an earlier ${kind} has the same`]]
    const { error } = recordSchemas[kind].safeParse(record)
    const problems: Problem[] =
      error === undefined
        ? this.#checker.check(kind, key, record as never)
        : error.issues.map(({ path, message }) => [['record', ...path].join('.'), message])
    // The records of an account are not wrong because the account is.
    if (problems.length === 0 || kind === 'account') this.#keep(kind, key, record)
    return problems
  }

  #keep(kind: Kind, key: string, record: unknown): void {
    ;(this.#data[kind] as Map<string, unknown>).set(key, record)
    const numbers = this.#numbers.get(kind) ?? []
    numbers.push(this.#line)
    this.#numbers.set(kind, numbers)
  }

  #checkReferences(): void {
    for (const [kind, numbers] of this.#numbers) {
      let index = 0
      for (const [key, record] of this.#data[kind]) {
        const problems = findMissingReferences(this.#data, kind, key, record)
        for (const problem of problems) this.#report(numbers[index] ?? 0, problem)
        index += 1
      }
    }
  }

  #report(line: number, [field, reason]: Problem): void {
    this.#problems += 1
    if (this.#details.length < maxListed) this.#details.push(`line ${line}: ${field}: ${reason}`)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
