// A program of smsrelay as a service: a unit of systemd, or a job of launchd on macOS. `phone
// service` and `serve service` share this folder.
//
// 1. The commands plan a ServiceJob: `relay-job` the relay's, src/cli/phone/service the phone's.
// 2. `service-manager` chooses `systemd` or `launchd`: the files, their text (`systemd-unit`,
//    `launchd-plist`) and the commands that start, stop and show a service.
// 3. `install-service` writes the files with `service-files`, which never replaces a file of
//    another program, and runs the commands as `service-step`s.
// 4. A running relay tells systemd its state with `service-notifier`.

export type Scope = 'system' | 'user'

export interface ServicePlace {
  readonly scope: Scope
  /** Name of the service: that of the unit without `.service`, or the label of the job. */
  readonly name: string
}

/** What a service runs, and how. */
export interface ServiceJob extends ServicePlace {
  readonly command: readonly string[]
  /** Environment variables of the service; only its owner can read their file. */
  readonly environment: Readonly<Record<string, string>>
  /** User of a system service. @default a dynamic user of systemd */
  readonly runAs?: string | undefined
  /** Seconds that the service has to stop. */
  readonly stopTime: number
  /** Lines in the section `[Service]` of a systemd unit that only this service has. */
  readonly unitLines: readonly string[]
}

/** The sentence in every file of a service that this program may replace and remove. */
export const ownFileMark = 'Written by smsrelay; its command service uninstall removes it.'
