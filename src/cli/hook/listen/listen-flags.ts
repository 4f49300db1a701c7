import { boolean, string } from '@oclif/core/flags'
import { webhookFlags } from '../hook-flags.js'

export const listenFlags = {
  events: string({
    description:
      'Events to listen to, separated by commas. Name receipts and sign-ins to get them.',
    env: 'SMSRELAY_EVENTS',
    defaultHelp: async () => 'all',
    helpValue: 'EVENTS',
  }),
  'no-relay': boolean({
    description: 'Receive webhooks on the port without subscribing; needs no relay and no keys.',
    env: 'SMSRELAY_NO_RELAY',
    helpGroup: 'PORT',
    exclusive: ['events', 'stream', 'from', 'retry', 'until', 'public-url', 'fetch'],
  }),
  secret: string({
    description: 'With --no-relay: respond with 401 to webhooks not signed with this secret.',
    env: 'SMSRELAY_HOOK_SECRET',
    helpValue: 'whsec_…',
    helpGroup: 'PORT',
    dependsOn: ['no-relay'],
  }),
  stream: boolean({
    description: 'Use the event stream. [default with --from, --retry and a remote relay]',
    env: 'SMSRELAY_STREAM',
    helpGroup: 'STREAM',
  }),
  from: string({
    description: 'First event: now, a sequence, the last N, or failed ones.',
    env: 'SMSRELAY_HOOK_LISTEN_FROM',
    defaultHelp: async () => 'saved position, else now',
    helpValue: 'now|SEQ|-N|failed',
    helpGroup: 'STREAM',
  }),
  retry: string({
    description: 'Retries before a failed event is skipped.',
    env: 'SMSRELAY_RETRY',
    defaultHelp: async () => 'no limit',
    helpValue: 'N',
    helpGroup: 'STREAM',
  }),
  state: string({
    description: 'Directory of saved positions and of the locks of running listeners.',
    defaultHelp: async () => 'the state directory',
    helpValue: 'DIR',
    env: 'SMSRELAY_STATE_DIR',
  }),
  port: string({
    description: 'Port on which webhooks are received.',
    env: 'SMSRELAY_HOOK_PORT',
    defaultHelp: async () => 'a free one',
    helpValue: 'N',
    helpGroup: 'PORT',
  }),
  host: string({
    description: 'Address on which webhooks are received.',
    env: 'SMSRELAY_HOOK_HOST',
    defaultHelp: async () => '127.0.0.1',
    helpValue: 'HOST',
    helpGroup: 'PORT',
  }),
  'public-url': string({
    description: 'Address at which the relay reaches this machine.',
    env: 'SMSRELAY_PUBLIC_URL',
    defaultHelp: async () => '--host and --port',
    helpValue: 'URL',
    helpGroup: 'PORT',
  }),
  respond: string({
    description: 'Status of the response to each webhook.',
    env: 'SMSRELAY_RESPOND',
    defaultHelp: async () => '200',
    helpValue: 'STATUS',
    helpGroup: 'PORT',
  }),
  'forward-to': string({
    description: 'Send each webhook to this address of your app.',
    env: 'SMSRELAY_FORWARD_TO',
    helpValue: 'URL',
  }),
  header: string({
    char: 'H',
    description: "Header field for forwarded webhooks, 'Name: value'; repeatable.",
    env: 'SMSRELAY_HEADER',
    helpValue: 'FIELD',
    multiple: true,
    multipleNonGreedy: true,
  }),
  timeout: string({
    description: 'Longest wait for a response of your app; 0: no limit.',
    env: 'SMSRELAY_HOOK_TIMEOUT',
    defaultHelp: async () => '15s',
    helpValue: 'TIME',
  }),
  'skip-verify': boolean({
    description: 'Accept any certificate of your app, such as a self-signed one.',
    env: 'SMSRELAY_SKIP_VERIFY',
  }),
  save: string({
    description: 'Save each webhook as a file in this directory.',
    env: 'SMSRELAY_SAVE',
    helpValue: 'DIR',
  }),
  'show-response': boolean({
    description: 'Show the responses of your app.',
    env: 'SMSRELAY_SHOW_RESPONSE',
  }),
  fetch: boolean({
    description: 'Fetch and show the message or received text of each event.',
    env: 'SMSRELAY_FETCH',
  }),
  verbose: boolean({ description: 'Show each webhook in full.', env: 'SMSRELAY_VERBOSE' }),
  count: string({
    description: 'End after this number of events.',
    env: 'SMSRELAY_HOOK_LISTEN_COUNT',
    helpValue: 'N',
  }),
  until: string({
    description: 'End after an event of this name.',
    env: 'SMSRELAY_HOOK_UNTIL',
    helpValue: 'EVENT',
  }),
  expect: string({
    description: 'End with exit code 1 if your app responds with another status.',
    env: 'SMSRELAY_EXPECT',
    helpValue: '2xx',
  }),
  'max-wait': string({
    description: 'End after this time, with exit code 124.',
    env: 'SMSRELAY_MAX_WAIT',
    helpValue: 'TIME',
  }),
  ...webhookFlags,
}
