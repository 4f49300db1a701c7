import type { Readable, Writable } from 'node:stream'

/** The signals that ask a command to end. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Where signals come from: the process, or an emitter in a test. */
export interface SignalSource {
  on(signal: EndSignal, listener: () => void): unknown
  off(signal: EndSignal, listener: () => void): unknown
  /** Acts as if the signal had come: a terminal in raw mode hands on Ctrl-C as a key. */
  emit(signal: EndSignal): unknown
}

/** A stream that may be a terminal. */
export type Input = Readable & { readonly isTTY?: boolean | undefined }
/** A stream that may be a terminal. */
export type Output = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** What a command touches of its process, so that a test can stand in for it. */
export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signals: SignalSource
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  /** The exit code the process will end with, once nothing is left to do. */
  setExitCode(code: number): void
  /** Ends the process at once; only for a person who asks twice. */
  forceExit(code: number): void
}

/** The process itself; streams are looked up late, because opening them costs time. */
export const processIo: Io = {
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  get env() {
    return process.env
  },
  signals: process,
  now: () => performance.now(),
  setExitCode(code) {
    process.exitCode = code
  },
  forceExit(code) {
    process.exit(code)
  },
}
