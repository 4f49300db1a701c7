import { connectionFloods } from './connection-floods.js'
import { endlessBodies } from './endless-bodies.js'
import { halfClosed } from './half-closed.js'
import { keywordStorm } from './keyword-storm.js'
import { largeBodies } from './large-bodies.js'
import { manySubscriptions } from './many-subscriptions.js'
import { recordFloods } from './record-floods.js'
import type { Scenario } from './scenario.js'
import { silentReceivers } from './silent-receivers.js'
import { slowClients } from './slow-clients.js'
import { unreadReplies } from './unread-replies.js'
import { wrongGuesses } from './wrong-guesses.js'

/** The rows of the table, in their order. */
export const scenarios: readonly Scenario[] = [
  unreadReplies,
  slowClients,
  connectionFloods,
  largeBodies,
  endlessBodies,
  halfClosed,
  manySubscriptions,
  silentReceivers,
  keywordStorm,
  recordFloods,
  wrongGuesses,
]
