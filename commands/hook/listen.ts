import { hostname } from 'node:os'
import { ApiCommand } from '../../src/cli/command/api-command.js'
import { ListenEnd } from '../../src/cli/hook/listen/listen-context.js'
import { listenFlags, parseListenFlags } from '../../src/cli/hook/listen/listen-flags.js'
import { ListenView } from '../../src/cli/hook/listen/listen-view.js'
import { Listener } from '../../src/cli/hook/listen/listener.js'
import { getStateDir } from '../../src/cli/profile/directories.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { print } from '../../src/cli/terminal/io.js'
import { listenForKeys } from '../../src/cli/terminal/keypress.js'
import { limits } from '../../src/domain/limits.js'
import { becomeOwner } from '../../src/util/files/become-owner.js'
import { pluralize } from '../../src/util/text/plural.js'

const description = `Stream mode reads the event stream of the relay and needs no public address. \
With --forward-to it sends a signed webhook for each event to your app, in order, until the \
response is 2xx, and a restart continues after the last finished event. Port mode receives \
webhooks of temporary subscriptions on a port, with --no-relay those of any subscription. If it \
is killed, the next run on this machine takes its subscriptions over, and without one the relay \
removes them after an hour.

Exit codes: 0 at Ctrl-C, --count or --until; 1 if --expect does not match; 124 at --max-wait.
Keys at a terminal: r sends the last webhook again, d shows webhooks in full, q ends.
Types of the lines with --json: ready, event, hit, refused, attempt, missing, expired, \
reconnecting, end.`

export default class HookListen extends ApiCommand {
  static override summary = 'Receive the events of the account on this machine.'
  static override description = description
  static override examples = [
    {
      description: 'Show events, and send them to your app as signed webhooks.',
      command: '<%= config.bin %> hook listen --stream --forward-to localhost:3000/hook',
    },
    {
      description: 'Send the events again that failed in an earlier run.',
      command:
        '<%= config.bin %> hook listen --stream --forward-to localhost:3000/hook --from failed',
    },
    {
      description: 'Print the last ten events as JSON.',
      command: '<%= config.bin %> hook listen --from -10 --json --max-wait 5s',
    },
    {
      description: 'Save each webhook, and forward it to an app with a self-signed certificate.',
      command:
        '<%= config.bin %> hook listen --save webhooks --forward-to https://localhost:8443/hook ' +
        '--skip-verify',
    },
    {
      description: 'In a script, wait until a message is sent.',
      command: '<%= config.bin %> hook listen --until message.sent --max-wait 30s --json',
    },
    {
      description: 'Receive webhooks that another command subscribed, and check signatures.',
      command: '<%= config.bin %> hook listen --no-relay --port 9000 --secret whsec_…',
    },
    {
      description: 'Receive webhooks of a relay in the same network.',
      command:
        '<%= config.bin %> hook listen --host 0.0.0.0 --port 9000 ' +
        '--public-url http://my-machine:9000',
    },
  ]
  static override flags = listenFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(HookListen)
    const { env, clock } = this.io
    const session = flags['no-relay']
      ? undefined
      : await this.openSession({ ...flags, timeout: env.SMSRELAY_TIMEOUT })
    const settings = parseListenFlags(flags, session?.client.url)
    const end = new ListenEnd(settings, this.signal, clock)
    const view = await ListenView.create(this.io, {
      isVerbose: flags.verbose === true,
      isForwarding: settings.forwardTo !== undefined,
      showsReply: settings.showsReply,
    })
    const listener = new Listener({
      client: session?.client,
      user: (await session?.identifyAccount(this.callOptions)) ?? '',
      settings,
      stateDir: becomeOwner(flags.state ?? getStateDir(env)),
      machine:
        hostname()
          .replace(/[^!-~]/g, '-')
          .slice(0, limits.listenerName) || 'unknown',
      end,
      clock,
      onEvent: (event, detail) => {
        const time = new Date(clock.now()).toISOString()
        const { type, ...rest } = event
        this.printLine({ type, time, ...rest }, () => view.format(event, time, detail))
      },
    })
    const releaseKeys = this.#listenForKeys(listener, view, end)
    try {
      const remaining = await listener.run()
      this.#printEnd(end, remaining, flags.count !== undefined || flags.until !== undefined)
    } finally {
      end.end('stopped')
      releaseKeys()
    }
  }

  #listenForKeys(listener: Listener, view: ListenView, end: ListenEnd): () => void {
    if (this.json) return () => {}
    return listenForKeys(this.io, {
      r: () => listener.replay(),
      d: () => {
        const text = view.toggleVerbose()
        if (text !== undefined) print(this.io.stdout, `${text}\n`, this.io.env)
      },
      q: () => end.end('quit'),
    })
  }

  #printEnd({ reason, count }: ListenEnd, remaining: readonly string[], waits: boolean): void {
    this.printLine({ type: 'end', reason, hits: count }, () => undefined)
    const start = reason === 'max-wait' ? 'Reached --max-wait' : 'Ended'
    this.printNote(`${start} after ${pluralize(count, 'event')}.`)
    if (remaining.length > 0) {
      this.printNote(`Could not remove subscription ${remaining.join(', ')}.`)
    }
    if (reason === 'unexpected') this.setExitCode(exitCodes.failed)
    if (reason === 'max-wait') this.setExitCode(exitCodes.timedOut)
    if (reason === 'stopped' && waits && this.isInterrupted) {
      this.setExitCode(exitCodes.interrupted)
    }
  }
}
