import { createInterface } from 'node:readline'
import { RelayError } from '../../errors.js'
import type { Input } from './io.js'

/** The values of a stream with a line of JSON each; empty lines are skipped. Throws `invalid_parameter`. */
export async function* readJsonLines(stdin: Input): AsyncGenerator<unknown> {
  let number = 0
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() !== '') yield parseLine(line, number)
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new RelayError('invalid_parameter', `Line ${number} is not JSON.`)
  }
}
