import { createInterface } from 'node:readline'
import { RelayError } from '../../errors.js'
import type { Input } from './io.js'

/** Parses one JSON value a line and skips empty lines. Throws `invalid_parameter`. */
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
