/**
 * What a line of a modem is:
 *
 * - `final`: ends the AT command in progress;
 * - `restart`: the modem has restarted, so the command in progress gets no answer any more;
 * - `start`: a modem says this at its start, or when its SIM changes: its settings may be lost;
 * - `pdu`: the line after it is a PDU;
 * - `ussd`: the beginning of a USSD reply;
 * - `unsolicited`: something else that no command asked for;
 * - `answer`: belongs to the command in progress.
 */
export type LineKind = 'final' | 'restart' | 'start' | 'pdu' | 'ussd' | 'unsolicited' | 'answer'

/** The lines whose words say what they are; the first pattern that matches counts. */
const knownLines: readonly (readonly [RegExp, LineKind])[] = [
  [/^(OK|ERROR(: ?\d+)?|\+CM[ES] ERROR\b.*|COMMAND NOT SUPPORT|TOO MANY PARAMETERS)$/, 'final'],
  // Results of calls (ITU-T V.250 table 1): no command of this driver makes one.
  [/^(RING|CONNECT( .*)?|NO CARRIER|NO DIAL ?TONE|NO ANSWER|BUSY)$/, 'unsolicited'],
  [/^(VOICE CALL|MISSED_CALL|NO CARRIER):|^SMS FULL/i, 'unsolicited'],
  [/^((APP |AT )?RDY|START|\^?SYS_?START\b.*|MODEM:STARTUP)$/, 'restart'],
  [/^([A-Z-]+ )?POWER(ED)? ?(DOWN|OFF)$/, 'restart'],
  [/^(\+QIND: ?"?|[+*^])?(AT|CALL|SMS|PB|SIM|PHONE ?BOOK)[ :_]*(READY|DONE)\b.*$/i, 'start'],
  [/^(\+CPIN|\+CFUN|\+EUSIM|\+USIM|\+QUSIM|\^SIMST|\+PACSP\d?|\+EIND): ?/, 'start'],
  [/^\+(CMT|CDS)(:|$)/, 'pdu'],
  [/^\+CUSD: ?\d/, 'ussd'],
]

/** Classifies a line while `command` is in progress. Only what can answer a command answers it. */
export function classifyLine(line: string, command: string | undefined): LineKind {
  if (isNamedAfter(line, command)) return /^\+CUSD/.test(line) ? 'ussd' : 'answer'
  const known = knownLines.find(([pattern]) => pattern.test(line))?.[1]
  return known ?? (/^[+^*%$#]\w+(:|$)/.test(line) ? 'unsolicited' : 'answer')
}

/** Whether a line has the name of an AT command: `+CREG: 1` after `AT+CREG?`. */
function isNamedAfter(line: string, command = ''): boolean {
  const [, name] = /^AT([+^*%$#]\w+)/i.exec(command) ?? []
  return name !== undefined && line.split(':', 1)[0] === name.toUpperCase()
}
