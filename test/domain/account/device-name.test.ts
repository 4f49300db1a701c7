import { expect, test } from 'vitest'
import { describeDevice } from '../../../src/domain/account/device-name.js'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox on Windows',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
      'Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
      'Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/142.0 Safari/537.36`,
    'Chrome on ChromeOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'A browser on Linux'],
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32', 'python-requests'],
  ['node', 'node'],
  ['Mozilla/5.0', 'Unknown device'],
  ['', 'Unknown device'],
  ['<b>evil</b>', 'Unknown device'],
])('%s is %s', (userAgent, device) => {
  expect(describeDevice(userAgent)).toBe(device)
})
