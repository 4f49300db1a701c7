/** The end of an attribution, in many languages: `On <date>, <name> wrote:`. */
const wroteWords = [
  'wrote|writes|schrieb|schreibt|schreef|a écrit|escribió|escreveu|ha scritto|skrev|kirjoitti',
  String.raw`napisał(?:\(a\))?|napsal(?:\(a\))?|написал(?:\(а\)|а)?|пишет?|yazdı|escrigué`,
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

/** An attribution with the date at its end: `<name> <address> schrieb am <date>:`. */
const datedLast = new RegExp(
  String.raw`<[^<>@\s]+@[^<>@\s]+>\s(?:${wroteStems})\b.*\d.*[:：]\s*$`,
  'iu',
)

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
  'Forwarded (?:message:?|mail|(?:message from|by) .{1,80})|Weitergeleitete Nachricht',
  'Message (?:transféré|réexpédié)',
  'Mensaje reenviado|Messaggio inoltrato|Mensagem (?:encaminhada|reencaminhada)',
  'Doorgestuurd bericht|Vidarebefordrat meddelande|Videresendt (?:meddelelse|melding|besked)',
  'Välitetty viesti|Przekazana wiadomość|Přeposlaná zpráva|Пересылаемое сообщение',
  'Пересланное сообщение|İletilmiş mesaj|Továbbított üzenet|转发的邮件|转发邮件|轉寄郵件',
  '転送メッセージ|전달된 메시지',
].join('|')
const forwardedHeadings = [
  'Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)',
  'Début du message (?:transféré|réexpédié)|Inicio del mensaje reenviado',
  'Inizio (?:del )?messaggio inoltrato|Início da mensagem (?:encaminhada|reencaminhada)',
  'Begin doorgestuurd bericht|Vidarebefordrat brev|Start på videresendt besked',
  'Videresendt melding|Начало переадресованного (?:сообщения|письма)|下面是被转发的邮件',
  '転送されたメッセージ',
].join('|')
const forwarded = new RegExp(
  String.raw`^\s*(?:-{2,}\s*(?:${forwardedNames})\s*-{2,}|(?:${forwardedHeadings})\s*[:：])\s*$`,
  'iu',
)

/** The fields above a quoted or forwarded mail, by language. */
const fromNames = [
  'From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|Від|Gönderen|Kimden|Feladó|Από',
  '发件人|寄件者|差出人|보낸 사람',
].join('|')
const sentNames = [
  'Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el)?|Enviada em|Fecha|Data|Inviato|Verzonden',
  'Skickat|Sendt|Dato|Lähetetty|Päivämäärä|Wysłano|Odesláno|Отправлено|Дата|Gönderildi|Tarih',
  'Elküldve|Στάλθηκε|发送时间|日期|寄件日期|送信日時|日付|보낸 날짜',
].join('|')
const createFieldShape = (names: string): RegExp =>
  new RegExp(String.raw`^\s*\*?(?:${names})\s*[:：]\*?\s?\S`, 'iu')
const from = createFieldShape(fromNames)
const sent = createFieldShape(sentNames)

const forwardedSubject = new RegExp(
  String.raw`^\s*(?:\[[^\]]{1,40}\]\s*)?(?:${[
    'FWD?|WG|TR|RV|ENC|I|Doorst|VB|VS|VL|PD|İLT|Továbbítás|ΠΡΘ|Пересл|转发|轉寄|轉發|転送|전달',
  ].join('|')})\s*[:：]`,
  'iu',
)

const replySubject = new RegExp(
  String.raw`^\s*(?:(?:\[[^\]]{1,40}\]|EXT(?:ERN(?:AL)?)?:)\s*)?(?:${[
    'RE|R|AW|ANTW(?:ORT)?|SV|SVAR|VS|RIF|RES|RÉ|RÉP|ODP|YNT|CEVAP|VÁ|VÁLASZ',
    'BLS|BALAS|ATB|ΑΠ|ΑΠΑΝΤΗΣΗ|ОТВ|ОТВЕТ|ВІДП|Trả lời|回复|回覆|答复|答覆|返信|回信|답장|회신',
    'رد|תשובה|השב|ตอบกลับ',
  ].join('|')})\s?(?:\[\d+\]|\(\d+\)|\^\d+)?\s*[:：]`,
  'iu',
)

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
    line.length <= maxLineLength &&
    [wrote, began, datedAddress, datedLast].some(shape => shape.test(line))
  )
}

/** Whether a line is an attribution with date and address, also above text without `>`. */
export function isFullAttribution(line: string): boolean {
  return isAttribution(line) && /\d/.test(line) && /<[^<>@\s]+@[^<>@\s]+>/.test(line)
}

/** Whether a line precedes an original mail that is quoted without marks. */
export function isOriginalMark(line: string): boolean {
  return line.length <= maxLineLength && original.test(line)
}

export function isForwardMark(line: string): boolean {
  return line.length <= maxLineLength && forwarded.test(line)
}

/**
 * Whether two lines are in the head of a mail that is quoted without marks: its author and date, or
 * date and author with an address.
 */
export function isQuotedHead(line: string, next: string): boolean {
  if (Math.max(line.length, next.length) > maxLineLength) return false
  return (
    (from.test(line) && sent.test(next)) ||
    (sent.test(line) && from.test(next) && next.includes('@'))
  )
}

/** Whether a mail is forwarded, by its subject and the first line of the head of the other mail. */
export function isForwardSubject(subject: string, head: string | undefined): boolean {
  const isFinnishReply = /^\s*VS\b/i.test(subject) && /^\s*\*?Lähettäjä/i.test(head ?? '')
  return forwardedSubject.test(subject) && !isFinnishReply
}

export function isReplySubject(subject: string): boolean {
  return replySubject.test(subject)
}

export function isDeviceLine(line: string): boolean {
  return line.length <= 120 && device.test(line)
}

export function isDatedLine(line: string): boolean {
  return line.length <= maxLineLength && dated.test(line)
}
