/** The end of an attribution, in many languages: `On <date>, <name> wrote:`. */
const wroteWords = [
  'wrote|writes|schrieb|schreef|a écrit|escribió|escreveu|ha scritto|skrev|kirjoitti',
  String.raw`napisał(?:\(a\))?|napsal(?:\(a\))?|написал(?:\(а\)|а)?|пише|yazdı|escrigué`,
  'va escriure|írta|a scris|έγραψε|写道|寫道|のメール|님이 작성',
].join('|')
const wrote = new RegExp(String.raw`(?:${wroteWords})\s*[:：]\s*$`, 'iu')

/** An attribution above a quoted mail with the name at its end: `Am <date> schrieb <name>:`. */
const wroteStems = [
  'wrote|schrieb|schreef|écrit|escribió|escreveu|scritto|skrev|napisał|napsal',
  'написал',
].join('|')
const began = new RegExp(
  String.raw`^(?:On|Am|Den|Op|Le|El|Em|Il|W dniu|Dne)\s.*(?:${wroteStems})\b.*[:：]\s*$`,
  'iu',
)

/** An attribution above a quoted mail in other languages: a date, an address and a colon. */
const datedAddress = /\d.*<[^<>@\s]+@[^<>@\s]+>[^<>]{0,40}[:：]\s*$/u

/** Outlook's line above an original mail. */
const originalNames = [
  'Original[ -]?Message|Original[ -]?Appointment|Ursprüngliche Nachricht',
  "Originalnachricht|Message d['’]origine|Mensaje original|Mensagem original",
  'Messaggio originale|Oorspronkelijk bericht|Ursprungligt meddelande',
  'Opprinnelig melding|Oprindelig meddelelse|Wiadomość oryginalna|Исходное сообщение',
  '原始邮件',
].join('|')
const original = new RegExp(String.raw`^\s*-{2,}\s*(?:${originalNames})\s*-{2,}\s*$`, 'iu')

const forwardedNames = [
  'Forwarded message|Weitergeleitete Nachricht|Message transféré|Mensaje reenviado',
  'Messaggio inoltrato|Mensagem encaminhada|Doorgestuurd bericht',
  'Пересылаемое сообщение',
].join('|')
const forwardedHeadings = [
  'Begin forwarded message|Anfang der weitergeleiteten Nachricht',
  'Début du message transféré|Inicio del mensaje reenviado',
  'Inizio messaggio inoltrato',
].join('|')
const forwarded = new RegExp(
  String.raw`^\s*(?:-{2,}\s*(?:${forwardedNames})\s*-{2,}|(?:${forwardedHeadings})\s*:)\s*$`,
  'iu',
)

/** The names of the `From:` field above a quoted message, by language. */
const from =
  /^\s*\*?(?:From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|Gönderen|发件人)\s*[:：]\*?\s?\S/iu
const dateFields = [
  'Sent|Date|Gesendet|Datum|Envoyé|Enviado|Enviada em|Fecha|Data|Inviato|Verzonden',
  'Skickat|Sendt|Lähetetty|Wysłano|Отправлено|Дата|发送时间',
].join('|')
const sent = new RegExp(String.raw`^\s*\*?(?:${dateFields})\s*[:：]\*?\s?\S`, 'iu')

/** The first line of a wrapped attribution above a quoted mail. */
const dated = /^\s*(?:On|Am|Den|Op|Le|El|Em|Il|W dniu|Dne|\p{L}{2,3}[.,])\s.*\d/iu

/** The line that a phone or an app adds below a mail: `Sent from …`. */
const sentWords = [
  'Sent|Gesendet|Diese Nachricht wurde|Von meine[mr]|Envoyé|Enviado|Inviato',
  'Verzonden|Skickat|Sendt|Lähetetty|Wysłan[eo]|Отправлено|从我的|発信元|iPhoneから',
].join('|')
const deviceNames = [
  'iPhone|iPad|iOS|Android|Samsung|Galaxy|Huawei|Xiaomi|Pixel|Nokia|BlackBerry',
  'smartphone|Handy|Mobiltelefon|telefon|téléphone|teléfono|telefoon|celular|mobile',
  String.raw`Outlook|Yahoo|Gmail|GMX|WEB\.DE|Proton|Thunderbird|Windows|Mail für|Mail for`,
].join('|')
const device = new RegExp(
  String.raw`^\s*(?:Sent from my \S.*|Get Outlook for .*|(?:${sentWords}).*(?:${deviceNames}).*)$`,
  'iu',
)

const maxLineLength = 400

export function isAttribution(line: string): boolean {
  return (
    line.length <= maxLineLength && [wrote, began, datedAddress].some(shape => shape.test(line))
  )
}

/** Whether a line precedes an original mail that is quoted without marks. */
export function isOriginalMark(line: string): boolean {
  return line.length <= maxLineLength && original.test(line)
}

export function isForwardMark(line: string): boolean {
  return line.length <= maxLineLength && forwarded.test(line)
}

/** Whether two consecutive lines are the header of a mail that is quoted without marks. */
export function isQuotedHead(line: string, next: string): boolean {
  return Math.max(line.length, next.length) <= maxLineLength && from.test(line) && sent.test(next)
}

export function isDeviceLine(line: string): boolean {
  return line.length <= 120 && device.test(line)
}

export function isDatedLine(line: string): boolean {
  return line.length <= maxLineLength && dated.test(line)
}
