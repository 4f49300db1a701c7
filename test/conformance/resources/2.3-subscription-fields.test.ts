import { test } from 'vitest'
import { expectError, useCallers } from '../calls.js'

const at = useCallers()

const url = 'http://127.0.0.1:9/hook'
const event = 'message.failed'

/** Returns an address of exactly this length. */
const createUrl = (length: number): string => `${url}?q=`.padEnd(length, 'x')

test.each([
  '',
  'example.com/hook',
  'ftp://example.com/',
  'httpx://example.com/',
  'mailto:a@example.com',
  '/hook',
  '//example.com/hook',
  ' http://example.com/',
  'http:/example.com',
  'http://',
  'http://exa mple.com/',
  'http://example.com:99999/',
  'http://example.com/\r\nX-Evil: 1',
  createUrl(1025),
])('2.3 the url %j is invalid_parameter', async address => {
  expectError(
    await at.api.post('/subscription', { event, url: address }),
    400,
    'invalid_parameter',
    'url',
  )
})

test.each(['', 'TWO WORDS', 'GET\r\n', 'A/B', 'A:B', '"Q"', '(x)', 'MÉTHODE', 'ABCDEFGHIJKLMNOPQ'])(
  '2.3 the method %j is invalid_parameter',
  async method => {
    const reply = await at.api.post('/subscription', { event, url, method })
    expectError(reply, 400, 'invalid_parameter', 'method')
  },
)

test.each(['maybe', '2', '', 'tru'])(
  '2.3 post as the form field %j is invalid_parameter',
  async post => {
    const reply = await at.api.post('/subscription', { event, url, post })
    expectError(reply, 400, 'invalid_parameter', 'post')
  },
)
