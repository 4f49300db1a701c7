import { expect, it } from 'vitest'
import PhonePresets from '../../../commands/phone/presets.js'
import { presets } from '../../../src/phone/drivers/http/presets/http-presets.js'
import { run } from '../harness.js'

it('phone presets lists what each provider needs', async () => {
  const { stdout, code } = await run(PhonePresets, ['--json'])
  const list = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(list.map((each: { preset: string }) => each.preset)).toEqual(Object.keys(presets))
  expect(list[0]).toEqual({
    preset: 'twilio',
    title: 'Twilio',
    options: ['account', 'service|from'],
    optional: ['reports', 'public-url'],
    environment: ['TWILIO_AUTH_TOKEN'],
    webhookEnvironment: ['TWILIO_WEBHOOK_TOKEN'],
    reports: ['poll', 'webhook'],
    receives: true,
  })
})

it('phone presets prints a table', async () => {
  const { stdout } = await run(PhonePresets, [])
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(Object.keys(presets).length + 1)
  expect(lines[0]).toMatch(/^PRESET +OPTIONS +ENVIRONMENT +STATUS +PROVIDER$/)
  expect(stdout).toMatch(/^telnyx +from +TELNYX_API_KEY +poll, webhook +Telnyx$/m)
  expect(stdout).toMatch(
    /^aws-sms +region, from +AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY +webhook/m,
  )
})
