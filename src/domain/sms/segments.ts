import { SegmentedMessage } from 'sms-segments-calculator'

/** How a text is coded on the air: its alphabet and the number of parts it needs (3GPP TS 23.038). */
export interface SmsPartCount {
  readonly alphabet: 'GSM-7' | 'UCS-2'
  readonly parts: number
}

/** The alphabet and number of parts a text needs. */
export function countSmsParts(text: string): SmsPartCount {
  const segmented = new SegmentedMessage(text)
  return {
    alphabet: segmented.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
    parts: Math.max(segmented.segmentsCount, 1),
  }
}
