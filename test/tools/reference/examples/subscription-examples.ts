import type { ExampleRequest } from './example-request.js'

const id = '$subscription'

function createStep(message: string): ExampleRequest {
  return {
    operation: 'createMessage',
    body: {
      message: { destination: '+12025550143', message, send_on: '2027-01-05 08:00:00' },
    },
    isStep: true,
  }
}

/** A subscription whose events wait, are skipped, delivered, and delivered once more. */
export const subscriptionExamples: readonly ExampleRequest[] = [
  { operation: 'listEventNames' },
  {
    operation: 'createSubscription',
    body: { event: 'message.create', url: '$receiver/sms', post: true },
    saves: { subscription: 'subscription.id' },
  },
  { operation: 'getSubscription', parameters: { id }, tag: 'SUBSCRIPTION_TAG' },
  {
    operation: 'editSubscription',
    parameters: { id },
    body: { event: 'message.create', url: '$receiver/texts' },
    tag: 'NEW_SUBSCRIPTION_TAG',
  },
  { operation: 'pauseSubscription', parameters: { id } },
  createStep('The first'),
  createStep('The second'),
  { operation: 'skipEvent', parameters: { id }, body: {} },
  { operation: 'listSubscriptions', query: { extended: 'true' } },
  { operation: 'resumeSubscription', parameters: { id } },
  {
    operation: 'listDeliveries',
    parameters: { id },
    until: 'deliveries.1',
    saves: { sequence: 'deliveries.0.delivery.sequence' },
  },
  { operation: 'replayEvents', parameters: { id }, body: { from: '$sequence' } },
  { operation: 'listDeliveries', parameters: { id }, until: 'deliveries.2', isStep: true },
  { operation: 'resendEvent', parameters: { id, sequence: '$sequence' } },
  { operation: 'testSubscription', parameters: { id } },
  {
    operation: 'listEvents',
    query: { after: '-2', events: 'message.create,message.sent' },
  },
]

/** The secrets that sign webhooks, and the end of the subscription. */
export const signingExamples: readonly ExampleRequest[] = [
  { operation: 'getSigningSecret', hides: { SIGNING_SECRET: 'secret' } },
  { operation: 'rotateSigningSecret', hides: { NEW_SIGNING_SECRET: 'secret' } },
  {
    operation: 'rotateSubscriptionSecret',
    parameters: { id },
    hides: { SUBSCRIPTION_SECRET: 'secret' },
  },
  { operation: 'getSubscriptionSecret', parameters: { id } },
  { operation: 'removeSubscriptionSecret', parameters: { id } },
  { operation: 'deleteSubscription', parameters: { id } },
]
