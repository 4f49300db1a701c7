import type { Page } from 'playwright-core'

/** A smaller difference of a colour, of 255, cannot be seen. */
const minDifference = 8

/**
 * Compares two pictures in PNG; resolves to the share of pixels that differ, 1 if their sizes do.
 * @param page any page; the browser decodes the pictures
 */
export async function compareImages(page: Page, first: Buffer, second: Buffer): Promise<number> {
  const images = JSON.stringify([first, second].map(png => png.toString('base64')))
  return await page.evaluate<number>(`(async images => {
    const read = async png => {
      const image = new Image()
      image.src = 'data:image/png;base64,' + png
      await image.decode()
      const { width, height } = image
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context.drawImage(image, 0, 0)
      return context.getImageData(0, 0, width, height)
    }
    const [a, b] = await Promise.all(images.map(read))
    if (a.width !== b.width || a.height !== b.height) return 1
    let count = 0
    for (let at = 0; at < a.data.length; at += 4) {
      const differs = [0, 1, 2].some(
        channel => Math.abs(a.data[at + channel] - b.data[at + channel]) > ${minDifference},
      )
      if (differs) count += 1
    }
    return count / (a.width * a.height)
  })(${images})`)
}
