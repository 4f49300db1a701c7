/** Texts of `smsrelay help TOPIC` that belong to no command. */
export const helpTopics: Readonly<Record<string, string>> = {
  'exit-codes': `Every command ends with one of these, with and without --json.

EXIT CODES
    0  done
     1  failed: the relay refused, could not be reached, or something broke; an answer was not what
        was expected (hook listen --expect); events were lost or came out of order (hook receive);
        rows were invalid or refused (message send --csv)
    2  usage: the command was typed wrongly, or a setting is missing
    3  the message ended Failed, Blacklisted or Deleted (message send --wait), or was not sent
       (phone test)
    4  not authorised: wrong keys, an ended token, or keys that may not do this
    5  not found: no such message, subscription, account or phone
    6  there is something to look after (status)
  124  timed out (also hook listen --max-wait, phone test --wait)
  130  interrupted; a second Ctrl-C ends at once

With --json an error is one JSON value on stdout: {"error":{"code","message"}}.`,
  environment: `Flags come before the environment, the environment before the saved profile.

ENVIRONMENT
  SMSRELAY_URL          address of the relay
  SMSRELAY_SECRET_KEY   secret key of the account
  SMSRELAY_API_KEY      API key of the account
  SMSRELAY_APP_KEY      application key of the account, for phones
  SMSRELAY_PROFILE      the profile to use
  SMSRELAY_TIMEOUT      longest a request may take
  SMSRELAY_HOOK_SECRET  secret that signs hits, for hook verify and hook receive
  SMSRELAY_HOOK_ALLOW   ranges that hits may go to although they are not public
  SMSRELAY_STOP_WORDS   words that put a sender on the Do Not Text list, for serve
  SMSRELAY_START_WORDS  words that take a sender off again, for serve
  SMSRELAY_SMTP_PORT, SMSRELAY_SMTP_HOST, SMSRELAY_SMTP_DOMAIN, SMSRELAY_SMTP_CERT, SMSRELAY_SMTP_KEY
                        how the service takes mail, which becomes texts
  SMSRELAY_SIM_PIN      PIN of the SIM, for phone --driver modem
  SMSRELAY_PASSWORD     password for the account commands
  SMSRELAY_DATA_DIR     the service's data directory
  SMSRELAY_CONFIG_DIR   where profiles are saved
  SMSRELAY_DRIVER       how the phone sends texts
  SMSRELAY_PHONE_NAME   how the phone is known to its relay
  SMSRELAY_PHONE_SETUP  the saved setup of the phone to begin with
  SMSRELAY_JOURNAL_DIR  where the phone keeps its journal
  SMSRELAY_STATE_DIR    where hook listen remembers what was acknowledged, and message send --csv
                        what was accepted
  SMSRELAY_SMPP_PASSWORD  of the account, for phone --driver smpp
  SMSRELAY_HTTP_PASSWORD  of the provider, for phone --driver http
  NO_COLOR              no colours
  CI, TERM=dumb         lines in place of the phone's live view`,
}
