import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createRelay } from '../quick-relay.js'

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

/** A relay with an empty directory and two accounts, which starts before the first test. */
export function useTarget(): Target {
  const target = {} as Target
  let opened: Opened | undefined
  beforeAll(async () => {
    opened = await start()
    Object.assign(target, opened.target)
  })
  afterAll(() => opened?.close())
  return target
}

async function start(): Promise<Opened> {
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
