import fc from 'fast-check'
import { PDU, type Pdu } from 'smpp'
import { expect, it } from 'vitest'
import { buildSubmitSms } from '../../../../src/phone/drivers/smpp/submit-sm.js'

it('any text is read back from its submit_sm, in each form', () => {
  const characters = fc.constantFrom(...'abc €[é\n@你', '😀')
  const texts = fc.string({ unit: characters, minLength: 1, maxLength: 700 })
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('udh', 'sar', 'payload'),
      fc.nat(0xffff),
      (all, long, ref) => {
        const { bodies, parts } = buildSubmitSms(all, long, ref)
        const read = bodies.map(body => readBack(new PDU('submit_sm', body)))
        expect(read.join('')).toBe(all)
        expect(parts).toBe(long === 'payload' ? parts : bodies.length)
        for (const { short_message: octets } of bodies) {
          expect(Buffer.isBuffer(octets) ? octets.length : 0).toBeLessThanOrEqual(160)
        }
      },
    ),
  )
})

function readBack(pdu: Pdu): string {
  const Decoded = PDU as unknown as new (bytes: Buffer) => Pdu
  const { short_message: short, message_payload: payload } = new Decoded(pdu.toBuffer())
  const words = (field: unknown) => (field as { message?: string } | undefined)?.message ?? ''
  return words(payload) || words(short)
}
