import { expect, test } from 'vitest'
import { parseDeliveryLogConfig } from '../../../src/server/config/delivery-log-config.js'

const day = 24 * 60 * 60 * 1000
const gibibyte = 1024 ** 3

test.each([
  [undefined, 30 * day, gibibyte],
  ['30d,1GiB', 30 * day, gibibyte],
  ['12h', day / 2, gibibyte],
  ['64KiB', 30 * day, 64 * 1024],
  ['10GiB, 90d', 90 * day, 10 * gibibyte],
])('%s limits age and size', (text, age, bytes) => {
  expect(parseDeliveryLogConfig(text)).toEqual({ age, bytes })
})

test.each(['', '30', '1GB', '63KiB', '30d,', '30d,60d', '1GiB,2GiB', '0d', '-1GiB'])(
  '%j is a usage error',
  text => {
    expect(() => parseDeliveryLogConfig(text)).toThrowError(
      expect.objectContaining({ code: 'usage' }),
    )
  },
)
