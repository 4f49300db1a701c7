import { test } from 'vitest'
import { expectError, request, useCallers } from '../calls.js'

const at = useCallers()

test.each(['/api/2/message', '/api/0/message', '/api/message', '/api/01/message', '/message'])(
  '9.1 the path %s, without version 1, is not_found',
  async path => {
    const headers = { authorization: `Bearer ${at.api.token}` }
    expectError(await request(at.baseUrl + path, 'GET', { headers }), 404, 'not_found')
  },
)
