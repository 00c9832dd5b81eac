import { expect, it } from "vitest";
import { readJson, TooLarge } from "./read-json.js";

it("reads JSON that comes in pieces", async () => {
  const pieces = ['{"name":"Gr', "öß", 'e"}'].map((piece) => new TextEncoder().encode(piece));

  expect(await readJson(respond(pieces), 100)).toEqual({ name: "Größe" });
});

it("gives up a response that is too large before all of it is there", async () => {
  let sent = 0;
  function* endless() {
    for (;;) {
      sent += 1000;
      yield new Uint8Array(1000);
    }
  }

  await expect(readJson(respond(endless()), 10_000)).rejects.toThrow(TooLarge);
  expect(sent).toBeLessThan(20_000);
});

it("rejects what is not JSON", async () => {
  await expect(readJson(new Response("<html>"), 100)).rejects.toThrow(SyntaxError);
  await expect(readJson(new Response(null), 100)).rejects.toThrow(SyntaxError);
});

function respond(pieces: Iterable<Uint8Array>): Response {
  const iterator = pieces[Symbol.iterator]();
  return new Response(
    new ReadableStream({
      pull(controller) {
        const { value, done } = iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    }),
  );
}
