import { request } from 'node:http'
import { text } from 'node:stream/consumers'

/** Sends one request and resolves to the body; rejects for a status other than 200. */
export async function sendRequest(port: number, bytes: string): Promise<string> {
  const [head = '', body = ''] = bytes.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const [method, path] = line.split(' ')
  const headers = Object.fromEntries(fields.map(field => field.split(': ') as [string, string]))
  return await new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    sent.on('error', reject)
    sent.on('response', response => {
      text(response).then(reply => {
        if (response.statusCode === 200) resolve(reply)
        else reject(new Error(`${line} got ${response.statusCode}: ${reply}`))
      }, reject)
    })
    sent.end(body)
  })
}
