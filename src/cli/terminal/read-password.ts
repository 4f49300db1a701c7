import { RelayError } from '../../errors.js'
import type { Io } from './io.js'
import { ask, canAsk } from './prompt.js'
import { readText } from './stdin.js'

/**
 * Reads a password from SMSRELAY_PASSWORD, the terminal's prompt or a pipe; never from an argument,
 * which `ps` shows. Throws `usage`.
 */
export async function readPassword(io: Io, json: boolean, twice = false): Promise<string> {
  const preset = io.env.SMSRELAY_PASSWORD
  if (preset !== undefined && preset !== '') return preset
  const password = canAsk(io, json) ? await askPassword(io, twice) : await readPipedPassword(io)
  if (password !== '') return password
  throw new RelayError('usage', 'The password is missing.', {
    hint: 'Pipe it to the command or set SMSRELAY_PASSWORD.',
  })
}

async function readPipedPassword(io: Io): Promise<string> {
  return io.stdin.isTTY === true ? '' : await readText(io.stdin)
}

async function askPassword(io: Io, twice: boolean): Promise<string> {
  const question = { name: 'the password', secret: true }
  const password = await ask({ ...question, message: 'Password' }, io)
  if (twice && (await ask({ ...question, message: 'Repeat the password' }, io)) !== password) {
    const hint = 'Type the same password twice.'
    throw new RelayError('usage', 'The two passwords differ.', { hint })
  }
  return password
}
