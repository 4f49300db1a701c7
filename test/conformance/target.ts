import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

export interface Account {
  email: string
  password: string
  secret_key: string
  api_key: string
  app_key: string
}

export interface Target {
  baseUrl: string
  owner: Account
  other: Account
}

interface Opened {
  target: Target
  close: () => Promise<void>
}

/**
 * The relay under test and two of its accounts, set before the first test of the file runs.
 *
 * `SMSRELAY_CONFORMANCE_URL` and `SMSRELAY_CONFORMANCE_ACCOUNTS` select a running relay; without
 * them, each file starts a relay on a free port with an empty directory.
 */
export function useTarget(): Target {
  const target = {} as Target
  let opened: Opened | undefined
  beforeAll(async () => {
    opened = await open()
    Object.assign(target, opened.target)
  })
  afterAll(() => opened?.close())
  return target
}

function open(): Promise<Opened> | Opened {
  const url = process.env.SMSRELAY_CONFORMANCE_URL
  const accounts = process.env.SMSRELAY_CONFORMANCE_ACCOUNTS
  if (url === undefined && accounts === undefined) return start()
  if (url === undefined || accounts === undefined) {
    throw new Error('Set both SMSRELAY_CONFORMANCE_URL and SMSRELAY_CONFORMANCE_ACCOUNTS.')
  }
  const [owner, other] = JSON.parse(accounts) as Account[]
  if (owner === undefined || other === undefined) {
    throw new Error('SMSRELAY_CONFORMANCE_ACCOUNTS must hold two accounts.')
  }
  return { target: { baseUrl: url.replace(/\/$/, ''), owner, other }, close: async () => {} }
}

async function start(): Promise<Opened> {
  const { createRelay } = await import('../quick-relay.js')
  const dataDir = await mkdtemp(join(tmpdir(), 'smsrelay-conformance-'))
  const relay = await createRelay({ dataDir, host: '127.0.0.1', port: 0 })
  await relay.start()
  const owner: Account = await relay.administration.createAccount({ email: 'owner@example.com' })
  const other: Account = await relay.administration.createAccount({ email: 'other@example.com' })
  return {
    target: { baseUrl: relay.url, owner, other },
    close: async () => {
      await relay.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
