import { ApiCommand } from '../../src/cli/command/api-command.js'
import { toWebhookFields } from '../../src/cli/hook/hook-flags.js'
import { ListenEnd } from '../../src/cli/hook/listen/listen-end.js'
import { listenFlags, parseListenFlags } from '../../src/cli/hook/listen/listen-flags.js'
import { ListenPrinter } from '../../src/cli/hook/listen/listen-printer.js'
import { ListenView, type WebhookDetail } from '../../src/cli/hook/listen/listen-view.js'
import { Listener } from '../../src/cli/hook/listen/listener.js'
import { resolveConnection } from '../../src/cli/profile/connection.js'
import { getStateDir } from '../../src/cli/profile/directories.js'
import { openClient } from '../../src/cli/profile/open-client.js'
import { exitCodes } from '../../src/cli/terminal/exit-codes.js'
import { listenForKeys } from '../../src/cli/terminal/keypress.js'

export default class HookListen extends ApiCommand {
  static override summary = 'Receive the events of the account on this machine.'
  static override description =
    'Over the event stream (--stream, the default where the relay is on another machine) no address is needed that ' +
    'the relay could reach: events are handed to --forward-to as a subscription would send them, one after the other, ' +
    'each until it is answered with 2xx, and after a lost line, a sleep or a restart it goes on behind the last one that was. With ' +
    '--retry N an event that fails N times more is noted and left behind; --from failed hands those on again. ' +
    'Otherwise it subscribes for as long as it runs, receives hits on a port, and answers them with 200, or with what ' +
    '--forward-to answers. It runs until Ctrl-C, until --count or --until is reached, until an answer is not what --expect says ' +
    '(exit code 1), or until --max-wait has passed (exit code 124). With --json each line is one of the types ready, event, ' +
    'hit, attempt, missing, reconnecting and end. At a terminal the key r repeats the last hit, d shows hits in full, q ends.'
  static override examples = [
    '<%= config.bin %> hook listen',
    '<%= config.bin %> hook listen --stream --forward-to localhost:3000/hook',
    '<%= config.bin %> hook listen --stream --from -10 --json --max-wait 5s',
    '<%= config.bin %> hook listen --events message.sent --count 1 --max-wait 30s --json',
    '<%= config.bin %> hook listen --host 0.0.0.0 --port 9000 --public-url http://my-machine:9000',
  ]
  static override flags = listenFlags

  async run(): Promise<void> {
    const { flags } = await this.parse(HookListen)
    const { env } = this.io
    const connection = await resolveConnection({ ...flags, timeout: env.SMSRELAY_TIMEOUT }, env)
    const settings = parseListenFlags(flags, connection.url)
    const end = new ListenEnd(settings, this.signal)
    const printer = new ListenPrinter(await ListenView.create(this.io), {
      isVerbose: flags.verbose === true,
      isForwarding: settings.forwardTo !== undefined,
      showsReply: flags['show-response'] === true,
    })
    const listener = new Listener({
      ...{ client: await openClient(connection), user: connection.credentials.user, settings, end },
      ...{ hit: toWebhookFields(flags), fetches: flags.fetch, showsReply: flags['show-response'] },
      stateDir: flags.state ?? getStateDir(env),
      now: this.io.clock.monotonic,
      onEvent: (notice, detail?: WebhookDetail) => {
        const time = new Date().toISOString()
        const { type, ...rest } = notice
        this.printLine({ type, time, ...rest }, () => printer.format(notice, time, detail))
      },
    })
    const release = this.#keys(listener, printer, end)
    try {
      this.#end(end, await listener.run(), flags.count !== undefined || flags.until !== undefined)
    } finally {
      end.end('stopped')
      release()
    }
  }

  #keys(listener: Listener, printer: ListenPrinter, end: ListenEnd): () => void {
    if (this.json) return () => {}
    return listenForKeys(this.io, {
      r: () => listener.replay(),
      d: () => {
        const text = printer.toggleVerbose()
        if (text !== undefined) this.io.stdout.write(`${text}\n`)
      },
      q: () => end.end('quit'),
    })
  }

  #end({ reason, count }: ListenEnd, left: readonly string[], waited: boolean): void {
    this.printLine({ type: 'end', reason, hits: count }, () => undefined)
    this.printNote(
      `${reason === 'max-wait' ? 'The time is over' : 'Ended'} after ${count} ${count === 1 ? 'hit' : 'hits'}.`,
    )
    if (left.length > 0) this.printNote(`Not removed: subscription ${left.join(', ')}.`)
    if (reason === 'unexpected') this.setExitCode(exitCodes.failed)
    if (reason === 'max-wait') this.setExitCode(exitCodes.timedOut)
    if (reason === 'stopped' && waited && this.isInterrupted)
      this.setExitCode(exitCodes.interrupted)
  }
}
