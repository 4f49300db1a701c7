import { secretUrl } from '../../resources/secret-url.js'
import { settingsEdit, settingsReply } from '../account-schema.js'
import {
  doNotTextCreate,
  doNotTextImport,
  doNotTextImportReply,
  doNotTextListReply,
  doNotTextQuery,
  doNotTextReply,
} from '../do-not-text-schema.js'
import { secretUrlCreate } from '../secret-url/secret-url-schema.js'
import { reportQuery, statisticsReportReply } from '../statistics/statistics-report-schema.js'
import { statisticsQuery, statisticsReply } from '../statistics/statistics-schema.js'
import { statusReply } from '../status-schema.js'
import { userAppReply, userReply } from '../user-schema.js'
import { define, type Operation } from './define-operation.js'
import { createOperations } from './resource-operations.js'

const secretUrlOperations = createOperations(secretUrl)

const listed = {
  not_found: 'The number is not on the list of the account.',
  invalid_parameter: 'The path has no number that can be dialled.',
}

export const userOperations = {
  getUser: define('GET /user', 'full', userReply, {
    section: '4.4',
    summary: 'Get the e-mail address of the account',
  }),
  getUserApp: define('GET /user/app', 'login', userAppReply, {
    role: 'admin',
    section: '4.4',
    summary: 'Get the keys of the account',
  }),
  getSettings: define('GET /user/settings', 'full', settingsReply, {
    section: 'Automatic replies',
    summary: 'Get the settings of the account',
    isTagged: true,
  }),
  editSettings: define('PATCH /user/settings', 'full', settingsReply, {
    section: 'Automatic replies',
    summary: 'Change the settings of the account',
    description: 'At least one field is required. An empty text switches it off.',
    headers: ['If-Match'],
    isTagged: true,
    request: settingsEdit,
  }),
} satisfies Record<string, Operation>

export const accountOperations = {
  getStatus: define('GET /status', 'full', statusReply, {
    section: 'Statistics',
    summary: 'List the problems of the relay and of the account',
  }),
  getStatistics: define('GET /statistics', 'full', statisticsReply, {
    section: 'Statistics',
    summary: 'Count messages by hour and day',
    description: 'Removed messages still count. Days do not follow daylight saving time.',
    query: statisticsQuery,
  }),
  getStatisticsReport: define('GET /statistics/report', 'full', statisticsReportReply, {
    section: 'Statistics',
    summary: 'Count the messages of some days',
    description:
      'By day and hour, the counts are those of GET /statistics, also of removed messages, with ' +
      'daylight saving time. Otherwise they are the stored messages that were created in these ' +
      'days, by their current state. At most 92 days by day, 31 by hour, and 366 otherwise.',
    query: reportQuery,
  }),
  listDoNotText: define('GET /do-not-text', 'full', doNotTextListReply, {
    section: 'The Do Not Text list',
    summary: 'List the numbers on the Do Not Text list',
    query: doNotTextQuery,
  }),
  addDoNotText: define('POST /do-not-text', 'full', doNotTextReply, {
    role: 'sender',
    section: 'The Do Not Text list',
    summary: 'Add a number to the Do Not Text list',
    description: 'Waiting messages to it are blocked. A number that is listed stays as it is.',
    request: doNotTextCreate,
  }),
  importDoNotText: define('POST /do-not-text/import', 'full', doNotTextImportReply, {
    role: 'sender',
    section: 'The Do Not Text list',
    summary: 'Add several numbers to the Do Not Text list',
    description: 'One invalid entry stops the whole import, unless `skip_invalid` is true.',
    request: doNotTextImport,
  }),
  getDoNotText: define('GET /do-not-text/:number', 'full', doNotTextReply, {
    section: 'The Do Not Text list',
    summary: 'Get an entry of the Do Not Text list',
    errors: listed,
  }),
  removeDoNotText: define('DELETE /do-not-text/:number', 'full', doNotTextReply, {
    role: 'sender',
    section: 'The Do Not Text list',
    summary: 'Remove a number from the Do Not Text list',
    errors: listed,
  }),
  ...secretUrlOperations,
  createSecretUrl: { ...secretUrlOperations.createSecretUrl, request: secretUrlCreate },
} satisfies Record<string, Operation>
