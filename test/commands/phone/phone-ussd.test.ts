import { describe, expect, it } from 'vitest'
import PhoneUssd from '../../../commands/phone/ussd.js'
import { ScriptedModem } from '../../phone/drivers/modem/scripted-modem.js'
import { serveModem } from '../../phone/drivers/modem/serve-modem.js'
import { run } from '../harness.js'

describe('phone ussd', () => {
  const answers = {
    'AT+CUSD=1,"*100#",15': ['OK', '+CUSD: 0,"Balance: 5.00\u001b[2J EUR",15'],
    'AT+CUSD=1,"*9#",15': ['OK', '+CUSD: 4'],
  }

  it('prints the reply of the network, without control characters', async () => {
    const device = `device=${await serveModem(new ScriptedModem({ answers }))}`
    const argv = ['*100#', '--driver', 'modem', '--option', device]
    expect(await run(PhoneUssd, argv)).toMatchObject({ code: 0, stdout: 'Balance: 5.00[2J EUR\n' })
    const json = await run(PhoneUssd, [...argv, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ code: '*100#' })
  })

  it('ends with 1 if there is no reply', async () => {
    const device = `device=${await serveModem(new ScriptedModem({ answers }))}`
    const ran = await run(PhoneUssd, ['*9#', '--driver', 'modem', '--option', device])
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('does not support') })
  })

  it.each([
    ['a code with letters', ['hello', '--driver', 'simulate'], /CODE must have only digits/],
    ['a driver without USSD', ['*100#', '--driver', 'simulate'], /simulate cannot send USSD/],
    ['no driver', ['*100#'], /--driver is missing/],
  ])('%s is a usage error', async (_, argv, words) => {
    const ran = await run(PhoneUssd, argv)
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(words) })
  })
})
