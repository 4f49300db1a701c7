export interface MetricDefinition {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: Readonly<Record<string, readonly string[]>>
  /** What a relay must have for the metric. @default nothing */
  readonly only?: 'data directory' | 'database' | 'certificate'
}

type Labels = MetricDefinition['labels']

const deliveryStates = ['active', 'retrying', 'paused']

const requests: readonly MetricDefinition[] = [
  counter('http_requests_total', 'HTTP requests that were answered.', {
    ...{ method: [], route: [], status: [] },
  }),
  histogram(
    'http_request_duration_seconds',
    'Time until an HTTP reply begins, without the time that NEXT was asked to wait.',
    { method: [], route: [] },
  ),
  gauge('http_connections', 'Open HTTP connections.'),
  counter('http_rejected_total', 'Connections and requests beyond the limits.', {
    reason: ['connections', 'address', 'requests', 'dropped', 'unread', 'bodies'],
  }),
  gauge('next_waiting', 'NEXT requests that wait for a message to become due.'),
  gauge('event_streams', 'Open event streams.'),
  counter('auth_failures_total', 'Wrong keys, passwords, codes, secret URLs and mailboxes.', {
    kind: ['key', 'password', 'code', 'secret_url', 'mailbox'],
  }),
]

const messages: readonly MetricDefinition[] = [
  counter('messages_accepted_total', 'Messages that this node accepted.', {
    source: ['website', 'api', 'url', 'email'],
  }),
  counter('messages_settled_total', 'Messages that became final on this node.', {
    status: ['sent', 'failed', 'blocked'],
  }),
  gauge('messages', 'Messages that wait to be sent, of all nodes.', {
    state: ['due', 'leased', 'scheduled'],
  }),
  gauge('oldest_due_age_seconds', 'Time since the oldest due message became due; 0 without one.'),
  histogram('dispatch_delay_seconds', 'Time from the due time of a message to its claim.'),
  counter('leases_expired_total', 'Leases that ended without a report.', {
    mode: ['at-least-once', 'at-most-once'],
  }),
  counter('received_texts_total', 'Texts that phones received.'),
  counter('mail_total', 'Received mails.', { result: ['accepted', 'rejected', 'deferred'] }),
  gauge('phones', 'Phones of all accounts.', { state: ['alive', 'quiet', 'silent'] }),
]

const webhooks: readonly MetricDefinition[] = [
  counter('webhook_deliveries_total', 'Webhooks that this node sent.', {
    outcome: ['delivered', 'failed', 'given_up'],
  }),
  histogram('webhook_delivery_duration_seconds', 'Time until a webhook was answered or failed.'),
  gauge('webhook_backlog', 'Webhooks of this node that wait, are in flight or retried.', {
    state: ['waiting', 'in_flight', 'retrying'],
  }),
  gauge('webhook_backlog_events', 'Events that subscriptions have before them, of all nodes.', {
    state: deliveryStates,
  }),
  gauge('webhook_lag_seconds', 'Age of the oldest of these events.', { state: deliveryStates }),
  counter('dns_lookups_total', 'Look-ups of the host names of webhooks.', {
    result: ['found', 'not_found', 'failed', 'timeout', 'cached'],
  }),
  counter('alert_mails_total', 'Alerts by e-mail about paused subscriptions.', {
    result: ['sent', 'failed'],
  }),
]

const stores: readonly MetricDefinition[] = [
  gauge('store_writable', 'Whether the store accepts changes: 1 or 0.'),
  onlyWith('data directory', gauge('store_damaged', 'Whether a compaction found damage: 1 or 0.')),
  histogram('store_commit_duration_seconds', 'Time to make a group of changes durable.'),
  histogram('store_commit_group_size', 'Changes that share a commit.'),
  onlyWith('data directory', gauge('store_journal_bytes', 'Size of the journals.')),
  onlyWith('data directory', gauge('store_snapshot_bytes', 'Size of the snapshot.')),
  onlyWith(
    'data directory',
    gauge('store_snapshot_timestamp_seconds', 'Time of the last compaction; 0 without one.'),
  ),
  gauge('store_delivery_log_bytes', 'Size of the log of webhook deliveries.'),
  onlyWith('data directory', gauge('store_free_bytes', 'Free space of the disk of the data.')),
  onlyWith(
    'data directory',
    counter('store_compactions_total', 'Compactions.', { result: ['done', 'failed', 'damaged'] }),
  ),
  onlyWith('database', gauge('pg_database_bytes', 'Size of the database.')),
  onlyWith('database', gauge('pg_dead_rows', 'Rows that a vacuum can remove.')),
  onlyWith(
    'database',
    gauge('pg_vacuum_timestamp_seconds', 'Time of the last vacuum of messages; 0 without one.'),
  ),
  onlyWith(
    'database',
    gauge('pg_connections', 'Connections to the database.', { state: ['open', 'closed'] }),
  ),
]

const processes: readonly MetricDefinition[] = [
  gauge('build_info', 'Version of the relay and of Node, and its store; always 1.', {
    ...{ version: [], node: [], store: ['directory', 'database'] },
  }),
  gauge('ready', 'Whether /readyz answers 200: 1 or 0.'),
  gauge('event_loop_longest_turn_seconds', 'Longest turn of the event loop since the start.'),
  gauge('event_loop_longest_turn_cpu_seconds', 'Longest time that a turn computed.'),
  onlyWith(
    'certificate',
    gauge('tls_certificate_expiry_timestamp_seconds', 'End of a TLS certificate.', {
      use: ['https', 'smtp'],
    }),
  ),
  counter('log_dropped_total', 'Log lines that were dropped.'),
]

export const metricDefinitions: readonly MetricDefinition[] = [
  ...requests,
  ...messages,
  ...webhooks,
  ...stores,
  ...processes,
]

export function listKeys({ name, labels }: MetricDefinition): string[] {
  const entries = Object.entries(labels)
  if (entries.length === 0) return [name]
  const [first] = entries
  if (first === undefined || entries.length > 1) return []
  const [label, values] = first
  return values.map(value => `${name}{${label}="${value}"}`)
}

function counter(name: string, help: string, labels: Labels = {}): MetricDefinition {
  return { name, type: 'counter', help, labels }
}

function gauge(name: string, help: string, labels: Labels = {}): MetricDefinition {
  return { name, type: 'gauge', help, labels }
}

function histogram(name: string, help: string, labels: Labels = {}): MetricDefinition {
  return { name, type: 'histogram', help, labels }
}

function onlyWith(
  only: NonNullable<MetricDefinition['only']>,
  definition: MetricDefinition,
): MetricDefinition {
  return { ...definition, only }
}
