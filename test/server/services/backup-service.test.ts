import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RelayConfig } from '../../../src/server/config/relay-config.js'
import { createBackupWriter } from '../../../src/server/open-backups.js'
import { BackupService, type BackupWriter } from '../../../src/server/services/backup-service.js'
import { waitForAbort } from '../../../src/util/async/abort.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { openStore as openLowdb } from '../store/lowdb/lowdb-rig.js'
import { openStore as openPostgres } from '../store/postgres/postgres-rig.js'
import { openMigratedDatabase } from '../store/postgres/test-postgres.js'
import { accountWith } from '../store/rig.js'

type OpenLocation = () => Promise<RelayConfig['location']>

const locations: [string, OpenLocation][] = [
  [
    'a data directory',
    async () => {
      const dataDir = await temporaryFolder()
      await (await openLowdb(dataDir)).accounts.create(accountWith('ada'))
      return { dataDir }
    },
  ],
  [
    'a database',
    async () => {
      const url = await openMigratedDatabase()
      await (await openPostgres(url)).accounts.create(accountWith('ada'))
      return { database: { url } }
    },
  ],
]

describe.each(locations)('a stop during a backup of %s', (_, open) => {
  async function start(hold: (writer: BackupWriter) => BackupWriter = writer => writer) {
    const directory = join(await temporaryFolder(), 'backups')
    const clock = new FakeClock({ start: Date.UTC(2030, 0) })
    const writer = hold(createBackupWriter({ location: await open() }))
    const backups = new BackupService({ clock }, directory, writer)
    const name = await backups.start()
    return { directory, clock, backups, name }
  }

  test('waits for its end, and no other begins', async () => {
    const { directory, clock, backups, name } = await start()
    await backups.stop()
    expect(await readdir(directory)).toEqual([name])
    expect(clock.pending).toBe(0)
    await expect(backups.start()).rejects.toMatchObject({ code: 'unavailable' })
    expect((await backups.read()).last?.name).toBe(name)
  })

  test('aborts it after 6 seconds, and leaves nothing', async () => {
    const { directory, clock, backups } = await start(writer => ({
      ...writer,
      write: async (path, signal) => {
        await waitForAbort(signal)
        await writer.write(path, signal)
      },
    }))
    const stopped = backups.stop()
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(6000)
    await stopped
    expect(await readdir(directory)).toEqual([])
    const { error, last } = await backups.read()
    expect([error, last]).toEqual(['The relay stopped.', undefined])
  })

  test('ends although the disk does not answer', async () => {
    const { clock, backups } = await start(writer => ({
      ...writer,
      write: async () => await new Promise(() => {}),
    }))
    const stopped = backups.stop()
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(6000)
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(2000)
    await stopped
  })
})
