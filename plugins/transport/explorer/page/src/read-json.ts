/** A response of more bytes than a page can take. */
export class TooLarge extends Error {}

/** Reads a response as JSON, and cancels it as soon as it turns out to be too large. */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (read === undefined || read.done) break;
    bytes += read.value.length;
    if (bytes > maxBytes) {
      await reader?.cancel();
      throw new TooLarge(`the response is larger than ${maxBytes / 1_000_000} MB`);
    }
    pieces.push(read.value);
  }
  return JSON.parse(await new Blob(pieces).text());
}
