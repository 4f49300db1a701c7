/** For `smsrelay help TOPIC`, where TOPIC has no commands. */
export const helpTopics: Readonly<Record<string, string>> = {
  'exit-codes': `Every command ends with one of these codes, with and without --json.

EXIT CODES
    0  success
    1  failure: the relay rejected the request or could not be reached, or an error occurred;
       a reply did not match (hook listen --expect); events were lost or out of order
       (hook receive); rows were invalid or rejected (message send --csv)
    2  usage: the command is mistyped, or a setting is missing or invalid
    3  not sent: the message ended as Failed, Blacklisted or Deleted (message send --wait),
       or the text was not sent (phone test, phone --once)
    4  not authorised: the keys are wrong, the token has expired, or it may not do this
    5  not found: there is no such message, subscription, account or phone
    6  problems that need attention (status)
    7  no message is due, or none may be sent now (phone --once)
  124  timed out (also hook listen --max-wait, phone test --wait)
  130  interrupted; a second Ctrl-C ends the command at once

With --json, an error is one JSON value on stdout: {"error":{"code","message"}}. An error with
several causes also has "details", a list of texts.`,
  environment: `Flags override the environment; the environment overrides the saved profile.

CONNECTION
  SMSRELAY_URL            address of the relay
  SMSRELAY_SECRET_KEY     secret key of the account
  SMSRELAY_API_KEY        API key of the account
  SMSRELAY_APP_KEY        application key of the account, for phones
  SMSRELAY_PROFILE        saved profile to use
  SMSRELAY_TIMEOUT        longest time of one request
  SMSRELAY_PASSWORD       password of an account, for the account commands and token issue
  SMSRELAY_HOOK_SECRET    secret that signs webhooks, for hook verify and hook receive

SERVE
  SMSRELAY_DATA_DIR       data directory, also for account, data, do-not-text
  SMSRELAY_DATABASE_URL   PostgreSQL database instead of a data directory, likewise
  SMSRELAY_DATABASE_URL_FILE
                          file that contains the URL of the database
  SMSRELAY_MIGRATE        false: leave the tables of the database as they are
  PGPASSWORD, PGPASSFILE  password of the database; file with such passwords
  SMSRELAY_HOST           address to listen on
  SMSRELAY_PORT           port to listen on
  SMSRELAY_BASE_URL       public address, if a proxy is in front
  SMSRELAY_TRUST_PROXY    trust X-Forwarded-For and X-Forwarded-Proto
  SMSRELAY_MAX_CONNECTIONS
                          HTTP connections at once
  SMSRELAY_MAX_CONNECTIONS_PER_ADDRESS
                          connections of one address; behind a proxy its requests
  SMSRELAY_EMAIL          e-mail address of the owner's account
  SMSRELAY_LEASE          seconds that a phone may keep a message
  SMSRELAY_RETAIN         how long final messages are retained
  SMSRELAY_SANDBOX        test numbers get their result without a phone
  SMSRELAY_HOOK_ALLOW     address ranges that are not public but may receive webhooks
  SMSRELAY_STOP_WORDS     keywords that put a sender on the Do Not Text list
  SMSRELAY_START_WORDS    keywords that remove such a sender from the list
  SMSRELAY_SMTP_PORT      port for incoming mail
  SMSRELAY_SMTP_HOST      address for incoming mail
  SMSRELAY_SMTP_DOMAIN    domain of the mail addresses
  SMSRELAY_SMTP_CERT      certificate for STARTTLS
  SMSRELAY_SMTP_KEY       key of the certificate
  SMSRELAY_MAIL_RELAY     SMTP server for alerts of accounts
  SMSRELAY_MAIL_FROM      sender of alerts
  SMSRELAY_DELIVERY_LOG   age and size of the log of deliveries
  SMSRELAY_DEBUG          1 prints the stack of internal errors

PHONE
  SMSRELAY_DRIVER         driver that sends the texts
  SMSRELAY_PHONE_NAME     name of the phone
  SMSRELAY_PHONE_SETUP    saved setup to start with
  SMSRELAY_PHONE_LISTEN   address for webhooks of providers, [HOST:]PORT
  SMSRELAY_JOURNAL_DIR    directory of the phone's journal
  SMSRELAY_SIM_PIN        PIN of the SIM, for --driver modem
  SMSRELAY_SMPP_PASSWORD  password of the account, for --driver smpp
  SMSRELAY_HTTP_PASSWORD  password at the provider, for --driver http
  SMSRELAY_OAUTH_SECRET   secret of the option oauth-id, for --driver http
  SMSRELAY_WEBHOOK_SECRET end of the webhook's address, for providers that sign nothing

FILES AND TERMINAL
  SMSRELAY_CONFIG_DIR     directory of saved profiles
  SMSRELAY_STATE_DIR      directory of hook listen (acknowledged events) and
                          message send --csv (accepted rows)
  NO_COLOR                no colours
  CI, TERM=dumb           lines instead of the live view of phone`,
}
