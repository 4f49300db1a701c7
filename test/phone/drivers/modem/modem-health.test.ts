import { describe, expect, it } from 'vitest'
import { openModem } from './serve-modem.js'

const none = { 'AT+CREG?': ['+CREG: 0,0', 'OK'] }

describe('health', () => {
  it('has signal, network and operator', async () => {
    const answers = { 'AT+COPS?': ['+COPS: 0,0,"Example Mobile",7', 'OK'] }
    const { driver } = await openModem({ answers })
    expect(await driver.health?.()).toEqual({
      ok: true,
      detail: 'Signal -73 dBm, in the home network (2G or 3G), operator Example Mobile.',
    })
  })

  it('reads signal and operator, as far as the modem knows them', async () => {
    const answers = { 'AT+COPS?': ['+COPS: 0,0,"Example Mobile",7', 'OK'] }
    const network = { signal: '-73 dBm', operator: 'Example Mobile' }
    expect(await (await openModem({ answers })).driver.readNetwork?.()).toEqual(network)
    const unknown = { 'AT+CSQ': ['+CSQ: 99,99', 'OK'], 'AT+COPS?': ['+COPS: 0', 'OK'] }
    expect(await (await openModem({ answers: unknown })).driver.readNetwork?.()).toEqual({})
  })

  it.each([
    [{ 'AT+CREG?': ['+CREG: 0,5', 'OK'] }, true, 'roaming (2G or 3G)'],
    [{ 'AT+CREG?': ['+CREG: 0,6', 'OK'] }, true, 'in the home network, for SMS only (2G or 3G)'],
    [{ 'AT+CREG?': ['+CREG: 0,7', 'OK'] }, true, 'roaming, for SMS only (2G or 3G)'],
    [{ ...none, 'AT+CGREG?': ['+CGREG: 2,1,"00C3","0000A1B2"', 'OK'] }, true, '(2G or 3G data)'],
    [{ ...none, 'AT+CEREG?': ['+CEREG: 0,1', 'OK'] }, true, 'in the home network (LTE)'],
    [{ ...none, 'AT+C5GREG?': ['+C5GREG: 0,5', 'OK'] }, true, 'roaming (5G)'],
    [{ 'AT+CEREG?': ['+CEREG: 0,1', 'OK'] }, true, 'in the home network (2G or 3G, LTE)'],
    [{ 'AT+CREG?': ['+CREG: 1', '+CREG: 0,1', 'OK'] }, true, 'in the home network'],
    [{ 'AT+CREG?': ['+CREG: 0,2', 'OK'] }, false, 'looking for a network'],
    [{ 'AT+CREG?': ['+CREG: 0,3', 'OK'] }, false, 'rejected by the network'],
    [{ 'AT+CREG?': ['+CREG: 0,8', 'OK'] }, false, 'emergency calls only'],
    [{ ...none, 'AT+CEREG?': ['+CEREG: 0,2', 'OK'] }, false, 'looking for a network'],
    [{ 'AT+CREG?': ['ERROR'] }, false, 'network unknown'],
    [{ 'AT+CSQ': ['+CSQ: 99,99', 'OK'] }, true, 'Signal unknown'],
  ])('%j: %s, %s', async (answers, ok, words) => {
    const { driver } = await openModem({ answers })
    expect(await driver.health?.()).toEqual({ ok, detail: expect.stringContaining(words) })
  })
})
