import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** An SMTP server that collects mail, or rejects it while `isBroken`. */
export async function openMailServer() {
  const mails: { to: string; body: string }[] = []
  const state = { isBroken: false, attempts: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      void text(stream).then(body => {
        state.attempts += 1
        if (state.isBroken) return done(new Error('out of order'))
        const to = session.envelope.rcptTo.map(({ address }) => address).join()
        mails.push({ to, body: body.replaceAll('=\r\n', '') })
        done()
      })
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(async () => await new Promise<void>(resolve => server.close(() => resolve())))
  const { port } = listener.address() as AddressInfo
  return { mails, state, url: `smtp://127.0.0.1:${port}` }
}
