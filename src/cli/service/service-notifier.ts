import { writeSync } from 'node:fs'
import type { Clock } from '../../util/async/clock.js'
import { type RepeatedTask, repeat } from '../../util/async/repeat.js'
import { findNotifyDescriptor } from '../config/passed-sockets.js'

type Env = Readonly<Record<string, string | undefined>>

/** Sends lines such as `READY=1` to systemd (sd_notify(3)). */
type Notify = (...lines: readonly string[]) => void

export interface NotifyingProcess {
  readonly env: Env
  readonly clock: Pick<Clock, 'after' | 'sleep'>
  /** @default the process id of this program */
  readonly pid?: number
}

/** Milliseconds until a relay with a stuck change is asked again. */
const retryDelay = 1000

/**
 * Tells systemd when the relay is ready, reloads and stops, and at half of the unit's
 * `WatchdogSec=` that it works; systemd restarts a service that is silent. Does nothing in a
 * process without the descriptor `notify`, which `OpenFile=` in the unit connects to systemd.
 */
export class ServiceNotifier {
  readonly #notify: Notify
  readonly #watchdog: RepeatedTask | undefined
  readonly #closing = new AbortController()

  constructor(program: NotifyingProcess, isStuck: () => Promise<boolean>) {
    const { clock } = program
    this.#notify = openDescriptor(program)
    const interval = getWatchdogInterval(program)
    const feed = async (): Promise<void> => {
      // A database that does not answer is no reason for a restart, which would not help.
      while (await isStuck().catch(() => false)) await this.#wait(clock)
      this.#notify('WATCHDOG=1')
    }
    this.#watchdog =
      interval === undefined ? undefined : repeat(interval, feed, { clock, onError: () => {} })
  }

  setReady(url: string): void {
    this.#notify('READY=1', `STATUS=Listening on ${url}`)
    this.#watchdog?.start()
  }

  /** Returns `reload` with the news of its begin and end. */
  wrapReload(reload: () => Promise<void>): () => Promise<void> {
    return async () => {
      this.#notify('RELOADING=1')
      await reload().finally(() => this.#notify('READY=1'))
    }
  }

  setStopping(): void {
    this.#notify('STOPPING=1')
  }

  close(): void {
    this.#closing.abort()
    void this.#watchdog?.stop()
  }

  async #wait(clock: NotifyingProcess['clock']): Promise<void> {
    const { signal } = this.#closing
    await clock.sleep(retryDelay, signal)
    signal.throwIfAborted()
  }
}

function openDescriptor({ env, pid = process.pid }: NotifyingProcess): Notify {
  const fd = findNotifyDescriptor(env, pid)
  if (fd === undefined) return () => {}
  return (...lines) => {
    try {
      writeSync(fd, `${lines.join('\n')}\n`)
    } catch {
      // The service also works without systemd.
    }
  }
}

/** Milliseconds between two signs of life; undefined if systemd expects none (sd_watchdog(3)). */
function getWatchdogInterval({ env, pid = process.pid }: NotifyingProcess): number | undefined {
  const microseconds = Number(env.WATCHDOG_USEC)
  const isForOther = env.WATCHDOG_PID !== undefined && env.WATCHDOG_PID !== String(pid)
  return isForOther || !(microseconds > 0) ? undefined : microseconds / 2000
}
