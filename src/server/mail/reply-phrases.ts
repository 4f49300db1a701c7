/** The last words of the line that mail programs put above a quotation: `On <date>, <who> wrote:`, in many languages. */
const wrote =
  /(?:wrote|writes|schrieb|schreef|a écrit|escribió|escreveu|ha scritto|skrev|kirjoitti|napisał(?:\(a\))?|napsal(?:\(a\))?|написал(?:\(а\)|а)?|пише|yazdı|escrigué|va escriure|írta|a scris|έγραψε|写道|寫道|のメール|님이 작성)\s*[:：]\s*$/iu

/** Its beginning, where the name comes last: `Am <date> schrieb <who>:`. */
const began =
  /^(?:On|Am|Den|Op|Le|El|Em|Il|W dniu|Dne)\s.*(?:wrote|schrieb|schreef|écrit|escribió|escreveu|scritto|skrev|napisał|napsal|написал)\b.*[:：]\s*$/iu

/** What it is in most languages: a date, an address and a colon. */
const datedAddress = /\d.*<[^<>@\s]+@[^<>@\s]+>[^<>]{0,40}[:：]\s*$/u

/** Dashes around the words for an original message, as Outlook writes them. */
const original =
  /^\s*-{2,}\s*(?:Original[ -]?Message|Original[ -]?Appointment|Ursprüngliche Nachricht|Originalnachricht|Message d['’]origine|Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht|Ursprungligt meddelande|Opprinnelig melding|Oprindelig meddelelse|Wiadomość oryginalna|Исходное сообщение|原始邮件)\s*-{2,}\s*$/iu

/** What stands above a mail that was passed on, whose content is meant. */
const forwarded =
  /^\s*(?:-{2,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado|Messaggio inoltrato|Mensagem encaminhada|Doorgestuurd bericht|Пересылаемое сообщение)\s*-{2,}|(?:Begin forwarded message|Anfang der weitergeleiteten Nachricht|Début du message transféré|Inicio del mensaje reenviado|Inizio messaggio inoltrato)\s*:)\s*$/iu

/** The names of the first header fields above a quotation without marks. */
const from =
  /^\s*\*?(?:From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|Gönderen|发件人)\s*[:：]\*?\s?\S/iu
const sent =
  /^\s*\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Enviada em|Fecha|Data|Inviato|Verzonden|Skickat|Sendt|Lähetetty|Wysłano|Отправлено|Дата|发送时间)\s*[:：]\*?\s?\S/iu

/** The first line of an attribution that is wrapped. */
const dated = /^\s*(?:On|Am|Den|Op|Le|El|Em|Il|W dniu|Dne|\p{L}{2,3}[.,])\s.*\d/iu

/** The line that a phone or an app adds below a mail: that it was sent, and a thing or program to send mail with. */
const device =
  /^\s*(?:Sent from my \S.*|Get Outlook for .*|(?:Sent|Gesendet|Diese Nachricht wurde|Von meine[mr]|Envoyé|Enviado|Inviato|Verzonden|Skickat|Sendt|Lähetetty|Wysłan[eo]|Отправлено|从我的|発信元|iPhoneから).*(?:iPhone|iPad|iOS|Android|Samsung|Galaxy|Huawei|Xiaomi|Pixel|Nokia|BlackBerry|smartphone|Handy|Mobiltelefon|telefon|téléphone|teléfono|telefoon|celular|mobile|Outlook|Yahoo|Gmail|GMX|WEB\.DE|Proton|Thunderbird|Windows|Mail für|Mail for).*)$/iu

const maxLineLength = 400

/** Whether a line says who wrote what is quoted below it. */
export function isAttribution(line: string): boolean {
  return (
    line.length <= maxLineLength && [wrote, began, datedAddress].some(shape => shape.test(line))
  )
}

/** Whether a line stands above an answered mail that is quoted without marks. */
export function isOriginalMark(line: string): boolean {
  return line.length <= maxLineLength && original.test(line)
}

/** Whether a line stands above a mail that was passed on. */
export function isForwardMark(line: string): boolean {
  return line.length <= maxLineLength && forwarded.test(line)
}

/** Whether two lines, one after the other, are the head of a mail that is quoted without marks. */
export function isQuotedHead(line: string, next: string): boolean {
  return Math.max(line.length, next.length) <= maxLineLength && from.test(line) && sent.test(next)
}

/** Whether a line only says what a mail was written on. */
export function isDeviceLine(line: string): boolean {
  return line.length <= 120 && device.test(line)
}

/** Whether a line can be the first of an attribution that is wrapped. */
export function isDatedLine(line: string): boolean {
  return line.length <= maxLineLength && dated.test(line)
}
