import { describe, expect, it } from 'vitest'
import BlocklistAdd from '../../commands/blocklist/add.js'
import BlocklistList from '../../commands/blocklist/list.js'
import BlocklistRemove from '../../commands/blocklist/remove.js'
import { run, sharedService } from './harness.js'

const keys = ['number', 'added_on', 'scope']

describe('blocklist', () => {
  const shared = sharedService()

  it.each(['account', 'service'])('keeps the list of the %s', async scope => {
    const service = shared()
    const where = scope === 'service' ? ['--service', '--data', service.dataDir] : service.flags
    const argv = [...where, '--json']
    const added = await run(BlocklistAdd, ['+12025550123', ...argv], service)
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const entry = JSON.parse(added.stdout)
    expect(Object.keys(entry).sort()).toEqual([...keys].sort())
    expect(entry).toMatchObject({ number: '+12025550123', scope })
    const listed = await run(BlocklistList, argv, service)
    expect(JSON.parse(listed.stdout)).toEqual([entry])
    const removed = await run(BlocklistRemove, ['+12025550123', ...argv], service)
    expect(JSON.parse(removed.stdout)).toEqual(entry)
    expect((await run(BlocklistList, argv, service)).stdout).toBe('[]\n')
  })

  it('takes --data only with --service', async () => {
    const argv = ['--data', '/tmp/x', ...shared().flags, '--json']
    const ran = await run(BlocklistList, argv, shared())
    expect(ran.code).toBe(2)
  })

  it('refuses what is no number', async () => {
    const ran = await run(BlocklistAdd, ['hello', ...shared().flags, '--json'], shared())
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.stdout).error.code).toBe('invalid_parameter')
  })
})
