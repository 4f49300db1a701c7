import {
  auditExamples,
  doNotTextExamples,
  finalExamples,
  mailboxExamples,
  peopleExamples,
  secretUrlExamples,
  tokenExamples,
  userExamples,
} from './account-examples.js'
import { contactExamples } from './contact-examples.js'
import { errorExamples } from './error-examples.js'
import type { ExampleOperation, ExampleRequest } from './example-request.js'
import { batchExamples, messageExamples, phoneExamples } from './message-examples.js'
import { signingExamples, subscriptionExamples } from './subscription-examples.js'

/** All examples, in an order that works with one fresh relay. */
export const allExamples: readonly ExampleRequest[] = [
  ...tokenExamples,
  ...userExamples,
  ...messageExamples,
  ...batchExamples,
  ...phoneExamples,
  ...doNotTextExamples,
  ...contactExamples,
  ...secretUrlExamples,
  ...mailboxExamples,
  ...peopleExamples,
  ...auditExamples,
  ...subscriptionExamples,
  ...signingExamples,
  ...errorExamples,
  ...finalExamples,
]

/** Operations without an example: their replies are pages, metrics and whole documents. */
export const operationsWithoutExample: readonly ExampleOperation[] = [
  'getMetrics',
  'getOpenApi',
  'showReference',
]
