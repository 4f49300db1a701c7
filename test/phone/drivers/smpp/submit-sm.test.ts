import fc from 'fast-check'
import { PDU, type Pdu } from 'smpp'
import { expect, it } from 'vitest'
import { buildSubmitSms } from '../../../../src/phone/drivers/smpp/text/submit-sm.js'
import { contentSettings, toPackageFields } from './smsc.js'

it('any text is read back from its submit_sm, in each form', () => {
  const characters = fc.constantFrom(...'abc €[é\n@你', '😀')
  const texts = fc.string({ unit: characters, minLength: 1, maxLength: 700 })
  const forms = fc.constantFrom('udh', 'udh16', 'sar', 'payload')
  fc.assert(
    fc.property(texts, forms, fc.nat(0xffff), (all, long, reference) => {
      const settings = { ...contentSettings, long }
      const { contents, parts } = buildSubmitSms(all, settings, reference)
      const read = contents.map(content => readBack(new PDU('submit_sm', toPackageFields(content))))
      expect(read.join('')).toBe(all)
      expect(parts).toBe(long === 'payload' ? parts : contents.length)
      for (const { shortMessage } of contents) {
        expect(shortMessage.length).toBeLessThanOrEqual(160)
      }
    }),
  )
})

function readBack(pdu: Pdu): string {
  const Decoded = PDU as unknown as new (bytes: Buffer) => Pdu
  const { short_message: short, message_payload: payload } = new Decoded(pdu.toBuffer())
  const words = (field: unknown) => (field as { message?: string } | undefined)?.message ?? ''
  return words(payload) || words(short)
}
