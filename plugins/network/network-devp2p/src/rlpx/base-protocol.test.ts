import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeRlp, type Rlp, toHex } from "@plinth/core";
import { DISCONNECT_REASONS } from "@plinth/core/network";
import { RECORDED_TRAFFIC } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import {
  decodeDisconnect,
  decodeHello,
  encodeDisconnect,
  encodeEmpty,
  encodeHello,
} from "./base-protocol.js";

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.slice(2), "hex"));
const ID = new Uint8Array(64).fill(0xab);
const HELLO = {
  version: 5,
  clientId: "plinth/test",
  capabilities: [
    { name: "eth", version: 68 },
    { name: "istanbul", version: 100 },
  ],
  listenPort: 30303,
  id: ID,
};

describe("Hello", () => {
  it("round-trips", () => {
    expect(decodeHello(encodeHello(HELLO))).toEqual(HELLO);
    const silent = { ...HELLO, listenPort: 0, capabilities: [] };
    expect(decodeHello(encodeHello(silent))).toEqual(silent);
  });

  it("may have additional items", () => {
    const rlp: Rlp = [Uint8Array.of(6), new Uint8Array(), [], new Uint8Array(), ID, [ID], ID];

    expect(decodeHello(encodeRlp(rlp))).toMatchObject({ version: 6, capabilities: [] });
  });

  it("contains no control characters of the peer", () => {
    const hello = encodeHello({ ...HELLO, clientId: `a\u001b[31mb\n${"é".repeat(400)}` });

    expect(decodeHello(hello).clientId).toMatch(/^a\?\[31mb\?{249}$/);
  });

  const item = (...items: Rlp[]) => encodeRlp(items);
  const EMPTY = new Uint8Array();
  it.each([
    ["no list", Uint8Array.of(0x80)],
    ["an empty list", item()],
    ["an id that is too short", item(EMPTY, EMPTY, [], EMPTY, ID.slice(1))],
    ["no id", item(EMPTY, EMPTY, [], EMPTY)],
    ["a list as the version", item([], EMPTY, [], EMPTY, ID)],
    ["a version of 2^64", item(ID.slice(0, 9), EMPTY, [], EMPTY, ID)],
    ["capabilities that are not a list", item(EMPTY, EMPTY, EMPTY, EMPTY, ID)],
    ["a capability that is not a list", item(EMPTY, EMPTY, [EMPTY], EMPTY, ID)],
    ["a capability with a long name", item(EMPTY, EMPTY, [[ID, EMPTY]], EMPTY, ID)],
    ["101 capabilities", item(EMPTY, EMPTY, Array(101).fill([EMPTY, EMPTY]), EMPTY, ID)],
  ])("is rejected with %s", (_, payload) => {
    expect(() => decodeHello(payload)).toThrow(
      expect.objectContaining({ reason: "breach-of-protocol" }),
    );
  });
});

describe("Disconnect", () => {
  it.each(DISCONNECT_REASONS)("carries %s", (reason) => {
    expect(decodeDisconnect(encodeDisconnect(reason))).toBe(reason);
  });

  it.each([
    ["0xc108", "client-quitting"],
    ["0xc100", "requested"],
    ["0xc180", "unspecified"],
    ["0x08", "client-quitting"],
    ["0xc0", "unspecified"],
    ["0x", "unspecified"],
    ["0xc1c0", "unspecified"],
    ["0xc17f", "unspecified"],
    ["0xc3820102", "unspecified"],
  ])("of the bytes %s means %s", (payload, reason) => {
    expect(decodeDisconnect(bytes(payload))).toBe(reason);
  });
});

interface Recorded {
  readonly name: string;
  readonly protocol: string;
  readonly payload: string;
}

/** Every recorded message of the base protocol. */
function readRecorded(): readonly Recorded[] {
  const folders = ["qbft", "ibft2", "clique"].flatMap((engine) =>
    readdirSync(join(RECORDED_TRAFFIC, engine)).map((name) => join(engine, name)),
  );
  return folders.flatMap((folder) =>
    readFileSync(join(RECORDED_TRAFFIC, folder, "messages.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line.includes('"protocol":"p2p"'))
      .map((line) => JSON.parse(line) as Recorded),
  );
}

describe("messages between Besu nodes", () => {
  it("are decoded, and re-encoded to the same bytes", () => {
    const counts: Record<string, number> = {};
    for (const { name, payload } of readRecorded()) {
      counts[name] = (counts[name] ?? 0) + 1;
      expect(toHex(writeAgain(name, bytes(payload)))).toBe(payload);
    }

    expect(counts).toEqual({ Hello: 124, Ping: 70, Pong: 70, Disconnect: 49 });
  });
});

function writeAgain(name: string, payload: Uint8Array): Uint8Array {
  switch (name) {
    case "Hello":
      return encodeHello(decodeHello(payload));
    case "Disconnect":
      return encodeDisconnect(decodeDisconnect(payload));
    case "Ping":
    case "Pong":
      return encodeEmpty();
    default:
      return expect.fail(`not a message of the base protocol: ${name}`);
  }
}
