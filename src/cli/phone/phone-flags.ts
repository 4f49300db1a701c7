import { boolean, string } from '@oclif/core/flags'

/** Flags that name the drivers of a phone and set their options. */
export const driverFlags = {
  driver: string({
    description:
      'How texts are sent: modem, smpp, http, termux, gammu, mmcli, kdeconnect, exec or simulate. ' +
      'Repeated with names for several: a=modem, with --option a.KEY=VALUE.',
    helpValue: 'NAME',
    env: 'SMSRELAY_DRIVER',
    multiple: true,
    multipleNonGreedy: true,
  }),
  command: string({
    description: 'exec: the program and its first arguments.',
    helpValue: 'COMMAND',
  }),
  'exec-timeout': string({
    description: 'exec: longest the program may run. [default: 60s]',
    helpValue: 'TIME',
  }),
  delay: string({
    description: 'simulate: time each text takes. [default: 0s]',
    helpValue: 'TIME',
  }),
  'failure-rate': string({
    description: 'simulate: share that fails, 0 to 1. [default: 0]',
    helpValue: 'RATE',
  }),
  seed: string({ description: 'simulate: the same seed fails the same texts.', helpValue: 'N' }),
  option: string({
    description: 'Any option of the driver; can be repeated.',
    helpValue: 'KEY=VALUE',
    multiple: true,
    multipleNonGreedy: true,
  }),
  route: string({
    description:
      'Drivers by number: +49=a, *=b,a; the longest prefix counts, the next driver sends what the one before could not.',
    helpValue: 'PREFIX=DRIVER',
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** Flags that say how fast, when and with what memory a phone sends. */
export const runningFlags = {
  concurrency: string({
    description: 'Messages in hand at a time, 1 to 64. [default: 1]',
    helpValue: 'N',
  }),
  rate: string({
    description:
      'Parts sent at most in a time: 30/min, or /s, /h, /d; can be repeated. The shortest also spaces them, with ' +
      'random shares; a tenth of it, 10 at most, may go at once.',
    helpValue: 'PARTS/TIME',
    multiple: true,
    multipleNonGreedy: true,
  }),
  quiet: string({
    description:
      'Hours in which nothing is taken: 22:00-07:00, "sat,sun 00:00-10:00", "mon-fri 20:00-24:00"; can be repeated.',
    helpValue: 'HOURS',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'time-zone': string({
    description: "Zone of the quiet hours, such as Europe/Berlin. [default: the system's]",
    helpValue: 'ZONE',
  }),
  journal: string({
    description:
      'Directory of the journal, for this phone alone. [default: one for each relay and account]',
    helpValue: 'DIR',
    env: 'SMSRELAY_JOURNAL_DIR',
  }),
  'no-journal': boolean({ description: 'Remember in memory only: a crash forgets.' }),
  name: string({
    description: "How `smsrelay status` calls this phone. [default: the host's name]",
    helpValue: 'NAME',
    env: 'SMSRELAY_PHONE_NAME',
  }),
  'no-forward': boolean({
    description: 'Only show texts that come in, in place of reporting them to the relay.',
  }),
}

/** The flag that names a saved setup. */
export const useFlag = {
  use: string({
    description: 'The saved setup to begin with (phone setup); flags beside it come before it.',
    helpValue: 'NAME',
    env: 'SMSRELAY_PHONE_SETUP',
  }),
}
