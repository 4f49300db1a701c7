/** The drivers of the phone and their options, for its help. */
export const driverHelp = `Options of the drivers, each by --option KEY=VALUE; docs/phones.md has every driver step by step.

termux, on an Android phone: slot, timeout, poll

gammu: config, section, timeout, poll

smpp, an account at an SMSC: see docs/phones.md

http, a provider with an HTTP interface: preset (smsgate, httpsms, textbee, twilio) or url, body and others: see docs/phones.md

modem, a GSM or LTE modem: device (/dev/ttyUSB2 or tcp://HOST:PORT), baud, pin, smsc, timeout, reports

mmcli, for ModemManager: modem, timeout, poll

kdeconnect, for a paired Android phone: device or name, timeout

simulate: shares of the texts, 0 to 1, that meet a fault: retry-rate, fail-rate and trouble-rate (not sent), unknown-rate (not sent, and nobody knows), lost-rate (sent, and nobody knows), hang-rate, duplicate-rate (sent twice), crash-rate with crash=before or crash=after; incoming-rate with incoming-text, report-rate; delay and jitter in milliseconds; outbox, a file that gets a line of JSON for each text sent; seed`
