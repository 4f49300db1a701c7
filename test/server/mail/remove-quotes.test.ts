import { describe, expect, test } from 'vitest'
import { removeQuotes } from '../../../src/server/mail/remove-quotes.js'

describe('quotes are removed from a reply', () => {
  test.each([
    'On Mon, Jan 1, 2030 at 10:00 AM Bob <bob@example.com> wrote:',
    'On Mon, Jan 1, 2030 at 10:00 AM Bob Long-Name <bob@example.com>\nwrote:',
    'Am 01.01.2030 um 10:00 schrieb Bob:',
    'Am Mo., 1. Jan. 2030 um 10:00 Uhr schrieb Bob <\nbob@example.com>:',
    'Le lun. 1 janv. 2030 à 10:00, Bob <bob@example.com> a écrit :',
    'El lun, 1 ene 2030 a las 10:00, Bob (<bob@example.com>) escribió:',
    'Il giorno lun 1 gen 2030 alle ore 10:00 Bob <bob@example.com> ha scritto:',
    'Op ma 1 jan 2030 om 10:00 schreef Bob <bob@example.com>:',
    'Em seg., 1 de jan. de 2030 às 10:00, Bob <bob@example.com> escreveu:',
    'Den mån 1 jan. 2030 kl 10:00 skrev Bob <bob@example.com>:',
    'pon., 1 sty 2030 o 10:00 Bob <bob@example.com> napisał(a):',
    'пн, 1 янв. 2030 г. в 10:00, Bob <bob@example.com>:',
    '2030年1月1日(火) 10:00 Bob <bob@example.com>:',
  ])('with the attribution: %s', line => {
    const mail = `Come at noon.\n\n${line}\n> When?\n>> Soon\n>\n> Bob\n`
    expect(removeQuotes(mail)).toBe('Come at noon.')
  })

  test.each([
    '-----Original Message-----\nFrom: Bob\nSent: Monday\n\nWhen?',
    '-----Ursprüngliche Nachricht-----\nVon: Bob\n\nWhen?',
    `${'_'.repeat(32)}\nFrom: Bob <bob@example.com>\nSent: Monday, 1 May 2030\nTo: Ann\n\nWhen?`,
    'Von: Bob <bob@example.com>\nGesendet: Montag, 1. Januar 2030\nAn: Ann\n\nWhen?',
    '*De:* Bob\n*Envoyé:* lundi\n\nWhen?',
  ])('without marks: %s', quoted => {
    expect(removeQuotes(`Come at noon.\n\n${quoted}`)).toBe('Come at noon.')
  })

  test('but not the text between them', () => {
    const mail = 'On 1 Jan 2030, Bob wrote:\n> When?\n\nNoon.\n\n> Where?\n\nHere.\n'
    expect(removeQuotes(mail).split(/\n+/)).toEqual(['Noon.', 'Here.'])
  })

  test('and a reply of quotes only is empty', () => {
    expect(removeQuotes('On 1 Jan 2030, Bob wrote:\n> When?\n')).toBe('')
  })
})

describe('signatures', () => {
  test('a signature is removed with all that follows', () => {
    expect(removeQuotes('Come at noon.\n-- \nAnn\nExample Ltd\n')).toBe('Come at noon.')
  })

  test.each([
    'Sent from my iPhone',
    'Sent from Outlook for Android',
    'Get Outlook for iOS',
    'Von meinem iPhone gesendet',
    'Gesendet mit der GMX Mail App',
    'Envoyé de mon iPhone',
    'Enviado desde mi iPhone',
    'Inviato da iPhone',
    'Verzonden vanaf mijn iPhone',
    'Отправлено с iPhone',
  ])('the line of a device is removed: %s', line => {
    expect(removeQuotes(`Come at noon.\n\n${line}\n`)).toBe('Come at noon.')
    expect(removeQuotes(`Come at noon.\n${line}\n\nOn 1 Jan 2030, Bob wrote:\n> When?`)).toBe(
      'Come at noon.',
    )
  })
})

describe('other text stays', () => {
  test.each([
    'Rows\n--\nfree 3\n',
    'The box was sent from the depot.',
    'Sent from the depot at noon.',
    'Get with the program.',
    'This is what he wrote:',
    'From: the roof\nTo: the floor',
    'a > b\nb < c',
    'Von: Bob\nGesendet: Montag\n\nonly this',
    '*/5 * * * * /usr/bin/check -- --all',
  ])('%j', text => {
    expect(removeQuotes(text)).toBe(text.trim())
  })

  const outlook = 'Look.\n\nFrom: Bob <bob@example.org>\nSent: Monday\n\nDisk full'

  test.each([
    ...['FW: x', 'Fwd: x', 'WG: x', 'TR : x', 'RV: x', 'ENC: x', 'I: x', 'Doorst: x', 'VB: x'],
    ...['VS: x', 'VL: x', 'PD: x', 'İLT: x', '转发：x', '転送: x', '[ext] FW: RE: x'],
  ])('Outlook forwards a mail with the subject %s', subject => {
    expect(removeQuotes(outlook, subject)).toBe(outlook)
  })

  test.each(['RE: x', 'AW: WG: x', 'Re: Fwd: x', 'Information: x', 'x', 'FW x'])(
    'Outlook replies with the subject %s',
    subject => expect(removeQuotes(outlook, subject)).toBe('Look.'),
  )

  test('VS is a reply in Finnish', () => {
    const reply = 'Kyllä.\n\nLähettäjä: Bob <bob@example.org>\nLähetetty: maanantai\n\nKoska?'
    expect(removeQuotes(reply, 'VS: x')).toBe('Kyllä.')
  })

  test('a forwarded mail in a quoted mail is quoted, too', () => {
    const forward = '---------- Forwarded message ---------\nFrom: eve@example.net\n\nNo'
    expect(removeQuotes(`${outlook}\n${forward}`, 'RE: x')).toBe('Look.')
  })

  test.each([
    ['---------- Forwarded message ---------\nFrom: monitor@example.com\n\nDisk full', ''],
    ['Begin forwarded message:\n\n> From: monitor@example.com\n>\n> Disk full', 'Look:\n\n'],
    ...[
      '----- Forwarded message from Monitor <monitor@example.com> -----',
      '----- Forwarded by Ann/Example on 01/07/2030 10:00 AM -----',
      '----------  Forwarded Message: ----------',
      '-------- Weitergeleitete Nachricht --------',
      '-------- Välitetty viesti --------',
      '---------- 转发的邮件 ---------',
      'Anfang der weitergeleiteten Nachricht:',
    ].map(mark => [`${mark}\nDate: Monday\nFrom: monitor@example.com\n\nDisk full`, 'Look:\n\n']),
  ])('a forwarded mail: %j', (forward, above) => {
    const rest = removeQuotes(above + forward)
    expect(rest.startsWith(above.trim())).toBe(true)
    expect(rest).toMatch(/From: monitor@example.com\n\nDisk full$/)
  })
})
