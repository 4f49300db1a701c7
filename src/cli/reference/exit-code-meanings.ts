export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'success'],
  [
    1,
    'failure: the relay rejected the request or could not be reached, or an error occurred; a ' +
      'reply did not match (hook listen --expect); rows were invalid or rejected (message send ' +
      '--csv)',
  ],
  [2, 'usage: the command is mistyped, or a setting is missing or invalid'],
  [
    3,
    'not sent: the message ended as Failed, Blacklisted or Deleted (message send --wait), or the ' +
      'text was not sent (phone test, phone --once)',
  ],
  [4, 'not authorized: the keys are wrong, the token has expired, or it may not do this'],
  [5, 'not found: there is no such message, subscription, account or phone'],
  [6, 'problems that need attention (status); the service does not run (service status)'],
  [7, 'no message is due, or none may be sent now (phone --once)'],
  [124, 'timed out (also hook listen --max-wait, phone test --wait)'],
  [130, 'interrupted; a second Ctrl-C ends the command at once'],
]

/** How a command prints an error with --json, for help and the reference. */
export const jsonErrorText =
  'With --json, an error is one JSON value on stdout: {"error":{"code","message"}}. An error ' +
  'with several causes also has "details", a list of texts. "id", "email" or "number" names the ' +
  'record concerned; "flag" and "variable" name the source of an invalid value.'
