import { expect, test } from 'vitest'
import { describeFailure, explainFailure } from '../../../src/domain/message/failure-reason.js'

test.each([
  ['The modem answered +CMS ERROR: 28 (unidentified subscriber).', 'The number is not in service.'],
  ['The modem answered +CMS ERROR: 331 (no network).', 'The modem has no network.'],
  ['The modem answered +CME ERROR: 10 (no SIM).', 'The modem has no SIM.'],
  ['The SMSC answered ESME_RINVDSTADR, invalid destination.', 'The number is not valid.'],
  [
    'The SMSC answered submit_sm with generic_nack (ESME_RTHROTTLED, too many messages).',
    'Too many texts were sent in a short time.',
  ],
  [
    'api.example.com answered 402 Payment Required: no balance',
    'The account at the SMS service has no credit.',
  ],
  ['RESULT_ERROR_NO_SERVICE', 'The modem has no network.'],
  [
    'mmcli: GDBus.Error:org.freedesktop.ModemManager1.Error.Message.MemoryFull',
    'The memory for texts is full.',
  ],
])('%s', (error, sentence) => {
  expect(explainFailure(error)).toBe(sentence)
  expect(describeFailure(error)).toBe(`${sentence} (${error})`)
})

test.each(['busy', '', 'The modem answered +CMS ERROR: 999.', 'answered 200, but without id'])(
  'the unknown error %j is shown as it is',
  error => {
    expect(explainFailure(error)).toBeUndefined()
    expect(describeFailure(error)).toBe(error)
  },
)
