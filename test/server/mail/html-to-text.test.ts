import { expect, test } from 'vitest'
import { htmlToText } from '../../../src/server/mail/html-to-text.js'
import { removeQuotes } from '../../../src/server/mail/remove-quotes.js'

test.each([
  ['<p>Hello <b>world</b></p>', 'Hello world'],
  ['<div>One</div><div>Two</div>', 'One\nTwo'],
  ['One<br>Two<br/><br />Three', 'One\nTwo\n\nThree'],
  ['<ul><li>One</li><li>Two</li></ul>', '- One\n- Two'],
  [
    '<table><tr><td>CPU</td><td>99 %</td></tr><tr><td>RAM</td><td>1 %</td></tr></table>',
    'CPU 99 %\nRAM 1 %',
  ],
  [
    'a &lt; b &amp;&amp; c &gt; d &#33; &#x1F600; &eacute;&uuml;&szlig; &euro; &nosuch; &#1114112;',
    'a < b && c > d ! 😀 éüß € &nosuch;',
  ],
  ['<pre>a\n  b</pre>', 'a\n  b'],
  ['  many \n\t spaces  ', 'many spaces'],
  ['a&nbsp;b', 'a b'],
  ['<style>p { color: red }</style><script>alert("x < y")</script>Hello', 'Hello'],
  ['<html><head><title>No</title><meta x></head><body>Yes</body></html>', 'Yes'],
  ['<!-- no --><!doctype html><?xml no?>Yes<!--[if mso]>no<![endif]-->', 'Yes'],
  [
    '<div style="display: none">no <div>no</div></div><span style="DISPLAY:NONE">no</span>Yes',
    'Yes',
  ],
  ['<a href="https://example.com/?a=b">Open</a> it', 'Open it'],
  ['3 < 5 and 7 > 5', '3 < 5 and 7 > 5'],
  ['an end <b', 'an end <b'],
  ['<style>unclosed', 'unclosed'],
  ['Yes<!-- unclosed', 'Yes'],
])('%j becomes %j', (html, text) => {
  expect(removeQuotes(htmlToText(html))).toBe(text)
})
