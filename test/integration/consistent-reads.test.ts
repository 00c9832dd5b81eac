import { describe, expect, it } from "vitest";
import { createSender } from "../support/dev-load.js";
import { call, startNode } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- consistency` produces a thousand. */
const BLOCKS = Number(process.env.PLINTH_CONSISTENT_BLOCKS ?? 15);
const READERS = 4;

const SLOTS = Array.from({ length: 7 }, (_, slot) => slot);
const byte = (value: number) => value.toString(16).padStart(2, "0");
/** Returns all slots. */
const READ = `${SLOTS.map((slot) => `60${byte(slot)}5460${byte(32 * slot)}52`).join("")}60e05ff3`;
/** Adds one to each slot. */
const WRITE = SLOTS.map((slot) => `60${byte(slot)}5460010160${byte(slot)}55`).join("");
/** Writes when it is called with data, and reads otherwise. */
const COUNTERS = `366100${byte(5 + READ.length / 2)}57${READ}5b${WRITE}00`;
const LENGTH = byte(COUNTERS.length / 2);
const INIT_CODE = `0x60${LENGTH}600a5f3960${LENGTH}5ff3${COUNTERS}`;

describe("a reader during block commits", () => {
  it.each([
    ["on threads", []],
    ["on the main thread", ["--rpc-worker-threads=0"]],
  ])(
    `never sees two blocks mixed, ${BLOCKS} blocks, %s`,
    async (_, words) => {
      using folder = temporaryFolder();
      await using node = await startNode(["--profile=dev", ...words], { folder: folder.path });
      const { contractAddress: to } = await createSender(node, 0).sendData(INIT_CODE);
      const writer = createSender(node, 1);
      // Starts a thread, if there are any.
      await call(node.url, "eth_call", [{ to }, "latest"]);
      let isOver = false;
      const seen = new Set<string>();
      const read = async () => {
        while (!isOver) {
          const words = String(await call(node.url, "eth_call", [{ to }, "latest"])).slice(2);
          const slots = new Set(words.match(/.{64}/g));
          expect(slots.size).toBe(1);
          for (const slot of slots) seen.add(slot);
        }
      };
      const readers = Array.from({ length: READERS }, read);
      for (let block = 0; block < BLOCKS; block++) await writer.sendTo(to, "0x01");
      isOver = true;
      await Promise.all(readers);

      expect(seen.size).toBeGreaterThan(BLOCKS / 10);
    },
    120_000 + BLOCKS * 200,
  );
});
