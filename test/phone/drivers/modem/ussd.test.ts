import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { openModem } from './serve-modem.js'

const never = new AbortController().signal
const ask = 'AT+CUSD=1,"*100#",15'
/** `*100#` in packed septets (3GPP TS 23.038 section 6.1.2.3). */
const packedCode = 'AA180C3602'
function toUcs2(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
}

const balance = toUcs2('Баланс 5 ₽')
const swedish = toUcs2('Du har 0,00 kr kvar.')

async function query(...answer: string[]): Promise<string | undefined> {
  const { driver } = await openModem({ answers: { [ask]: answer } })
  return await driver.queryUssd?.('*100#', never)
}

describe('a USSD code', () => {
  it.each([
    [['OK', '+CUSD: 0,"Balance: 5.00 EUR",15'], 'Balance: 5.00 EUR'],
    [['+CUSD: 0,"Balance: 5.00",15', 'OK'], 'Balance: 5.00'],
    [['OK', '+CUSD: 0,"Say ""hi"" (x)",15'], 'Say ""hi"" (x)'],
    [['OK', '+CUSD: 0,"Balance 5", 15'], 'Balance 5'],
    [['OK', '+CUSD: 0,"12345678"'], '12345678'],
    [['OK', `+CUSD: 0,"${balance}",72`], 'Баланс 5 ₽'],
    [['OK', `+CUSD: 0,"${swedish}",7`], 'Du har 0,00 kr kvar.'],
    [
      ['OK', `+CUSD: 0,"${swedish.slice(0, 40)}\r\n${swedish.slice(40)}",15`],
      'Du har 0,00 kr kvar.',
    ],
    [['OK', `+CUSD: 0,"${toUcs2('您的余额为10元')}",15`], '您的余额为10元'],
    [['OK', '+CUSD: 0,"C2303BEC1E9775A09A0B060315AB52",15'], 'Balance: 5.00 EUR'],
    [['OK', '+CUSD: 0,"42616C616E6365203520454140",68'], 'Balance 5 EA@'],
    [['OK', '+CUSD: 0,"Guthaben fünf €",15'], 'Guthaben fünf €'],
    [['OK', '+CUSD:0,Balance 5'], 'Balance 5'],
    [['OK', '+CUSD: 0,"A1B2C3D4",15'], 'A1B2C3D4'],
    [['OK', '+CUSD: 0,"12345678",72'], '12345678'],
    [['OK', '+CUSD: 2,"Goodbye",15'], 'Goodbye'],
    [['OK', '+CUSD: 0,"First line\nSecond line\nThird",15'], 'First line\nSecond line\nThird'],
  ])('with the reply %j gives %j', async (answer, reply) => {
    expect(await query(...answer)).toBe(reply)
  })

  it('that leads to a menu ends the dialogue, and the modem can send again', async () => {
    const { modem, driver } = await openModem({
      answers: { [ask]: ['OK', '+CUSD: 1,"1 Balance\n2 Data",15'] },
    })
    expect(await driver.queryUssd?.('*100#', never)).toBe('1 Balance\n2 Data')
    expect(modem.commands.at(-1)).toBe('AT+CUSD=2')
    const message = { id: 'm1', destination: '+12025550123', text: 'Hello' }
    expect(await driver.send(message, never)).toEqual({ parts: 1 })
  })

  it('is sent in packed septets to a modem that takes no other', async () => {
    const { driver } = await openModem({
      answers: {
        [ask]: ['ERROR'],
        [`AT+CUSD=1,"${packedCode}",15`]: ['OK', '+CUSD: 0,"C8329BFD06",15'],
      },
    })
    expect(await driver.queryUssd?.('*100#', never)).toBe('Hello')
  })

  it.each([
    [['OK', '+CUSD: 2'], 'fail', 'ended the dialogue'],
    [['OK', '+CUSD: 4'], 'fail', 'does not support'],
    [['+CME ERROR: 30'], 'trouble', 'no network'],
  ])('with the answer %j is %s', async (answer, kind, words) => {
    await expect(query(...answer)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(words),
    })
  })

  it('without a reply is unknown after a minute', async () => {
    const clock = new FakeClock()
    const { modem, driver } = await openModem({ answers: { [ask]: ['OK'] } }, {}, { clock })
    const asked = expect(driver.queryUssd?.('*100#', never)).rejects.toMatchObject({
      kind: 'unknown',
    })
    await expect.poll(() => modem.commands).toContain(ask)
    await expect.poll(() => clock.pending).toBe(1)
    clock.advance(60_000)
    await asked
  })
})
