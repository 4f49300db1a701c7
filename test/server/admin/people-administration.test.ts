import { describe, expect, test } from 'vitest'
import { describeError, ways } from './rig.js'

const email = 'ann@example.com'

describe.each(ways)('administration of people and limits %s', (_, open) => {
  test('sets and removes limits of an account, and shows their use', async () => {
    const admin = await open()
    await admin.createAccount({ email })
    const none = { max: null, used: 0 }
    const limits = { email, messages_per_hour: none, messages_per_day: none }
    const others = { waiting_messages: none, secret_urls: { max: 1000, used: 0 } }
    const subscriptions = { max: 100, used: 0 }
    expect(await admin.showLimits(email)).toMatchObject({ ...limits, ...others, subscriptions })
    const changed = await admin.changeLimits(email, { messages_per_day: 20, subscriptions: 3 })
    const daily = { messages_per_day: { max: 20, used: 0 }, subscriptions: { max: 3, used: 0 } }
    expect(changed).toMatchObject({ ...limits, ...others, ...daily })
    await admin.changeLimits(email, { messages_per_day: null })
    expect((await admin.showLimits(email)).messages_per_day).toEqual(none)
    expect(await describeError(admin.changeLimits('bob@example.com', {}))).toMatchObject({
      code: 'not_an_account',
    })
  })

  test('invites a person with the address of the dashboard', async () => {
    const admin = await open()
    await admin.createAccount({ email })
    const draft = { account: email, email: 'bob@example.com', role: 'sender' }
    const invitation = await admin.invitePerson({ ...draft, url: 'https://sms.example.com/' })
    expect(invitation).toEqual({
      ...draft,
      id: expect.any(String),
      by: null,
      created_on: expect.any(String),
      expires_on: expect.any(String),
      url: expect.stringMatching(/^https:\/\/sms\.example\.com\/invitation\/sri_/),
      mailed: null,
    })
    expect([await admin.listPeople(), await admin.listPeople(undefined)]).toEqual([[], []])
    // No relay listens, so the address of the dashboard is unknown.
    expect(await describeError(admin.invitePerson(draft))).toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--url'),
    })
    const wrong = { ...draft, role: 'boss', url: 'https://sms.example.com' }
    expect(await describeError(admin.invitePerson(wrong))).toMatchObject({
      code: 'invalid_parameter',
    })
    expect(await describeError(admin.setRole(email, 'reader'))).toMatchObject({
      code: 'not_found',
      hint: expect.stringContaining('always an admin'),
    })
  })
})
