import { describe, expect, it } from 'vitest'
import type { DeliveryReceipt } from '../../../../src/phone/driver-port/driver.js'
import { ReceivedInbox } from '../../../../src/phone/received/received-inbox.js'
import { createClock } from '../../../../src/util/async/clock.js'
import type { Script } from './scripted-modem.js'
import { openModem } from './serve-modem.js'

describe('received texts', () => {
  const hello = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37'
  const report = '00062A0B912120550521F3621112214365006211122143750000'

  async function openListening(script: Script = {}) {
    const { modem, driver } = await openModem(script)
    const events: unknown[] = []
    const inbox = new ReceivedInbox({
      forward: false,
      clock: createClock(),
      onEvent: event => {
        if (event.event === 'received') events.push([event.from, event.text])
        if (event.event === 'undecodable') events.push([event.hex])
        if (event.event === 'ignored') events.push([event.event, event.content, event.count])
      },
    })
    const onReceipt = ({ to, state }: DeliveryReceipt) => void events.push([to, state])
    driver.listen?.(Object.assign(inbox, { onReceipt }))
    return { modem, driver, events }
  }

  it('each form of notification is handled, and the SIM is cleared', async () => {
    const { modem, driver, events } = await openListening()
    modem.stored.set(3, hello)
    await driver.health?.()
    await expect.poll(() => events).toEqual([['27838890001', 'hellohello']])
    modem.stored.set(4, encodeDeliver('b', '20'))
    modem.say('+CMTI: "SM",4')
    await expect.poll(() => events).toHaveLength(2)
    modem.say('+CMT: ,28', encodeDeliver('c', '30'))
    modem.say('+CDS: 25', report)
    await expect.poll(() => events).toHaveLength(4)
    expect(events).toContainEqual(['+12025550123', 'delivered'])
    await expect.poll(() => [...modem.stored]).toEqual([])
  })

  it('a text that comes again, at another index or not stored, is one text', async () => {
    const { modem, driver, events } = await openListening()
    modem.stored.set(3, hello)
    await driver.health?.()
    await expect.poll(() => events).toHaveLength(1)
    modem.stored.set(7, hello)
    modem.say('+CMTI: "SM",7')
    modem.say('+CMT: ,28', hello.replace('07917283010010F5', '00'))
    modem.say('+CMT: ,28', encodeDeliver('b', '20'))
    await expect.poll(() => events).toHaveLength(2)
    await expect.poll(() => [...modem.stored]).toEqual([])
    expect(events).toEqual([
      ['27838890001', 'hellohello'],
      ['+12025550123', 'b'],
    ])
  })

  it('two texts without a time at two indexes are two, also with the same words', async () => {
    const { modem, driver, events } = await openListening()
    const timeless = encodeDeliver('a', '10').replace('621112214301', 'FFFFFFFFFFFF')
    modem.stored.set(1, timeless)
    modem.stored.set(2, timeless)
    await driver.health?.()
    await expect.poll(() => events).toHaveLength(2)
  })

  it('what is no text of a person is taken from the SIM', async () => {
    const { modem, driver, events } = await openListening()
    const silent = hello.replace('0000993092516195', '4000993092516195')
    modem.stored.set(1, silent)
    modem.stored.set(2, '000403A121F300F56211122143650002FF01')
    await driver.health?.()
    await expect.poll(() => [...modem.stored]).toEqual([])
    expect(events).toEqual([
      ['ignored', 'a silent SMS (type 0)', 1],
      ['ignored', 'data', 2],
    ])
  })

  it.each([
    ...['+CMTI: "SM",1,"MMS PUSH",2,1', '+CMTI: "SM",-1', '+CMTI: "MT",1'],
    ...['+CMTI: "SM"', '+CMTI: 3', '+CMTI', '+CDSI: "SM"', '+CMTI: ME,1'],
  ])('are read at once after %s', async line => {
    const { modem, driver, events } = await openListening()
    await driver.health?.()
    await expect.poll(() => modem.commands).toContain('AT+CMGL=4')
    modem.storage.get('SM').set(7, `1 ${hello}`)
    modem.say(line)
    await expect.poll(() => events).toEqual([['27838890001', 'hellohello']])
    await expect.poll(() => [...modem.stored]).toEqual([])
  })

  it('parts are joined in their order', async () => {
    const { modem, driver, events } = await openListening()
    await driver.health?.()
    const part = (number: number, text: string) =>
      [
        '00440B912120550521F3000862111221436500',
        (6 + text.length * 2).toString(16).padStart(2, '0'),
        `05000309020${number}`,
        Buffer.from(text, 'utf16le').swap16().toString('hex'),
      ].join('')
    modem.say('+CMT: ,30', part(2, '你'))
    modem.say('+CMT: ,30', part(2, '你'))
    modem.say('+CMT: ,30', part(1, 'to '))
    await expect.poll(() => events).toEqual([['+12025550123', 'to 你']])
  })

  it('a text stays on the SIM until it is stored, and is read again later', async () => {
    const { modem, driver } = await openModem()
    const texts: string[] = []
    const results: (() => Promise<void>)[] = [
      async () => await Promise.reject(new Error('disk full')),
      async () => expect([...modem.stored.keys()]).toEqual([3, 4]),
    ]
    const received = async ({ text }: { text: string }) => {
      texts.push(text)
      await results.shift()?.()
    }
    driver.listen?.({ onText: received, onReceipt: () => {} })
    modem.stored.set(3, encodeDeliver('a', '10'))
    await driver.health?.()
    await expect.poll(() => texts).toEqual(['a'])
    modem.stored.set(4, encodeDeliver('b', '20'))
    modem.say('+CMTI: "SM",4')
    await expect.poll(() => [...modem.stored]).toEqual([])
    expect(texts).toEqual(['a', 'a', 'b'])
  })

  it('stored texts are read in the order of their time, not of their index', async () => {
    const { modem, driver, events } = await openListening()
    modem.stored.set(1, encodeDeliver('c', '30'))
    modem.stored.set(2, encodeDeliver('a', '10'))
    modem.stored.set(3, encodeDeliver('b', '20'))
    await driver.health?.()
    await expect.poll(() => events.map(each => (each as string[])[1])).toEqual(['a', 'b', 'c'])
  })

  it('a text that arrives at an index just deleted is not deleted unread', async () => {
    const { modem, driver } = await openModem()
    const texts: string[] = []
    let finishStoring = () => {}
    const stored = new Promise<void>(resolve => {
      finishStoring = resolve
    })
    const received = async ({ text }: { text: string }) => {
      texts.push(text)
      await stored
    }
    driver.listen?.({ onText: received, onReceipt: () => {} })
    modem.stored.set(1, encodeDeliver('a', '10'))
    await driver.health?.()
    await expect.poll(() => texts).toEqual(['a'])
    modem.say('+CMTI: "SM",1')
    await driver.health?.()
    const remove = modem.stored.delete.bind(modem.stored)
    modem.stored.delete = place => {
      modem.stored.delete = remove
      remove(place)
      modem.stored.set(place, encodeDeliver('b', '20'))
      return true
    }
    finishStoring()
    await expect.poll(() => texts).toContain('b')
    await expect.poll(() => [...modem.stored]).toEqual([])
  })

  it('a text at an index that was announced before does not overtake others', async () => {
    const { modem, driver } = await openModem()
    const texts: string[] = []
    let finishStoring = () => {}
    const stored = new Promise<void>(resolve => {
      finishStoring = resolve
    })
    const onText = async ({ text }: { text: string }) => {
      texts.push(text)
      await stored
    }
    driver.listen?.({ onText, onReceipt: () => {} })
    modem.stored.set(1, encodeDeliver('a', '10'))
    await driver.health?.()
    await expect.poll(() => texts).toEqual(['a'])
    modem.stored.set(3, encodeDeliver('c', '30'))
    modem.say('+CMTI: "SM",1', '+CMTI: "SM",3')
    await driver.health?.()
    const remove = modem.stored.delete.bind(modem.stored)
    modem.stored.delete = place => {
      modem.stored.delete = remove
      remove(place)
      modem.stored.set(place, encodeDeliver('d', '40'))
      modem.say('+CMTI: "SM",1')
      return true
    }
    finishStoring()
    await expect.poll(() => texts).toEqual(['a', 'c', 'd'])
  })

  it('an invalid PDU that was not stored is reported', async () => {
    const { modem, driver, events } = await openListening()
    await driver.health?.()
    modem.say('+CMT: ,30', 'no PDU')
    modem.say('+CMT: ,30', hello)
    await expect.poll(() => events).toEqual([['no PDU'], ['27838890001', 'hellohello']])
  })
})

/** The SMS-DELIVER of a character that came at this second. */
function encodeDeliver(text: string, second: string): string {
  const hex = Buffer.from(text, 'utf16le').swap16().toString('hex')
  const swapped = [...second].reverse().join('')
  return `00040B912120550521F300086211122143${swapped}0002${hex}`.toUpperCase()
}
